import { messages } from '../messages';
import type { Payment } from '../session/session-api';

export interface NoticeText {
  readonly title: string;
  readonly text: string;
}

/** Says that the last payment failed. The issuer's reason is not shown to the public: card testers would read it too. */
export function declineMessage({ code, payment_method: method }: Payment): NoticeText {
  const { declines } = messages;
  if (code === 'expired') return { title: declines.pixExpiredTitle, text: declines.pixExpired };
  return {
    title: declines.title,
    text: code === 'declined' && method === 'card' ? declines.default : declines.failed,
  };
}
