import { messages } from '../messages';
import type { Payment } from '../session/session-api';

export interface NoticeText {
  readonly title: string;
  readonly text: string;
}

/** Explains why the last payment failed. Fraud suspicions are not shown: they are between the bank and its customer. */
export function declineMessage(payment: Payment): NoticeText {
  const { declines } = messages;
  if (payment.code === 'expired') return { title: declines.pixExpiredTitle, text: declines.pixExpired };
  return { title: declines.title, text: reasonOf(payment) };
}

type Reason = keyof typeof messages.declines;

/** Normalized ISO 8583 response codes that a buyer can act on. */
const BY_CODE: Readonly<Record<string, Reason>> = {
  '51': 'funds',
  '61': 'funds',
  '65': 'tooMany',
  '75': 'tooMany',
  '54': 'expired',
  '14': 'data',
  '82': 'data',
  '83': 'data',
  '19': 'bank',
  '91': 'bank',
  '92': 'bank',
  '96': 'bank',
};

const BY_CLASS: Readonly<Record<string, Reason>> = {
  hard: 'otherCard',
  fraud: 'otherCard',
  auth_required: 'verify',
};

function reasonOf({ code, transactions }: Payment): string {
  const { declines } = messages;
  const last = transactions.findLast(({ status }) => status === 'declined');
  if (code !== 'declined' || last === undefined) return declines.failed;
  return declines[BY_CODE[last.response_code ?? ''] ?? BY_CLASS[last.decline_type ?? ''] ?? 'default'];
}
