import { BRASILIA, dateIn } from '../../../domain/time/timezone';
import type { StoredCharge } from '../../charge-store';

/** The table of transaction states in the manual: https://developercielo.github.io/manual/cielo-ecommerce#status-transacional */
export const STATUS = {
  authorized: 1,
  confirmed: 2,
  denied: 3,
  voided: 10,
  refunded: 11,
  pending: 12,
  aborted: 13,
} as const;
export type CieloStatus = (typeof STATUS)[keyof typeof STATUS];

/**
 * The manual's boleto is 1 when it is issued and 2 when it is paid. What is canceled on the day of its authorization is 10, and
 * later 11; a pix is 11. Not documented: what an unpaid pix or boleto is after its expiry, here what it was before.
 */
export function statusOf(charge: StoredCharge): CieloStatus {
  switch (charge.status) {
    case 'declined':
      return STATUS.denied;
    case 'authorized':
      return STATUS.authorized;
    case 'approved':
      return STATUS.confirmed;
    case 'pending':
    case 'expired':
      return charge.method === 'billet' ? STATUS.authorized : STATUS.pending;
    case 'canceled':
      return STATUS.voided;
    case 'refunded':
      return charge.method === 'card' && isOfToday(charge) ? STATUS.voided : STATUS.refunded;
  }
}

/** Whether it was refunded on the day of its authorization. */
function isOfToday({ operations }: StoredCharge): boolean {
  const [first, last] = [operations[0], operations.at(-1)];
  return dayOf(first?.at) === dayOf(last?.at);
}

const dayOf = (at: string | undefined): string => (at === undefined ? '' : dateIn(BRASILIA, new Date(at)));
