import type { PauseSubscription } from '../shared/pause-subscription';
import type { Dispute } from './dispute';

/**
 * The reasons that say that the cardholder did not take part. Visa 10.1 to 10.5; Mastercard 4837 (no cardholder authorization), 4840
 * (fraudulent processing), 4849 (questionable merchant activity), 4863 (cardholder does not recognize), 4870 and 4871 (chip
 * liability); American Express F10 to F31; Discover UA01 to UA06; Elo 81 and 83. Words of gateways for all of them: `fraudulent`
 * (Stripe), `fraud` (Mercado Pago), and Asaas' reasons that name a fraud.
 */
const FRAUD_CODE = /^(?:10\.[1-5]|48(?:37|40|49|63|70|71)|F(?:10|14|24|29|30|31)|UA0[1256]|8[13])$/i;
const FRAUD_WORDS: ReadonlySet<string> = new Set([
  'fraudulent',
  'fraud',
  'absent_card_fraud',
  'card_fraud',
  'other_absent_card_fraud',
  'right_of_full_recourse_for_fraud',
  'visa_fraud_monitoring_program',
]);

/** Whether the card of the disputed charge is in wrong hands, as far as the reason tells. A pix has no card. */
export function isForFraud({ kind, reasonCode }: Pick<Dispute, 'kind' | 'reasonCode'>): boolean {
  if (kind !== 'chargeback' || reasonCode === null) return false;
  return FRAUD_CODE.test(reasonCode) || FRAUD_WORDS.has(reasonCode.toLowerCase());
}

interface CardOfDispute extends Pick<Dispute, 'status'> {
  /** The card of a charge that is disputed for fraud; null of any other dispute. */
  readonly fraudCard: string | null;
  /** When a user released it. */
  readonly cardReleasedAt: Date | null;
}

/** Whether the dispute keeps subscriptions from charging its card: until the company wins it, or releases the card. */
export function blocksCard({ fraudCard, cardReleasedAt, status }: CardOfDispute): boolean {
  return fraudCard !== null && cardReleasedAt === null && status !== 'won';
}

/** Whether the subscription must pause now. A retrieval only asks for documents. */
export function pausesSubscription(
  { kind, status }: Pick<Dispute, 'kind' | 'status'>,
  from: PauseSubscription,
): boolean {
  if (kind === 'retrieval') return false;
  switch (from) {
    case 'never':
      return false;
    case 'opened':
      return status !== 'won';
    case 'lost':
      return status === 'lost' || status === 'accepted';
  }
}
