import type { Language } from '../users/language';

/** A receipt that is not sent yet, with what it says besides the payment. */
export interface DueReceipt {
  readonly paymentId: number;
  readonly createdAt: Date;
  /** The company's, as an IANA name. */
  readonly timezone: string;
  /** As buyers know the company. */
  readonly merchant: string;
  readonly language: Language;
  /** The name of the payment link, or of the plan; null for a session without either. */
  readonly item: string | null;
}

const RETRY_MS = 10 * 60_000;
const GIVE_UP_MS = 24 * 60 * 60_000;

/** When a receipt that the mail server did not take is tried again; null once it would be too late to be of use. */
export function retryOfReceipt({ createdAt }: Pick<DueReceipt, 'createdAt'>, now: Date): Date | null {
  const at = new Date(now.getTime() + RETRY_MS);
  return at.getTime() - createdAt.getTime() > GIVE_UP_MS ? null : at;
}
