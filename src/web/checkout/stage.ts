import type { Problem } from './pay/billing-address';
import type { Payment, Session } from './session/session-api';

/** Where a buyer stands. */
export type Stage =
  | { readonly kind: 'resuming' }
  /** Says who they are. */
  | { readonly kind: 'details' }
  /** Chooses how to pay. */
  | { readonly kind: 'paying'; readonly session: Session }
  /** Nobody knows yet what becomes of the charge. */
  | { readonly kind: 'waiting'; readonly session: Session }
  | { readonly kind: 'pix'; readonly session: Session; readonly pix: Pix }
  | { readonly kind: 'done'; readonly session: Session }
  | { readonly kind: 'ended'; readonly problem: Problem };

export interface Pix {
  /** The text to copy and paste. */
  readonly code: string;
  /** Its picture. */
  readonly pictureUrl: string | null;
  readonly expiresAt: Date | null;
}

/** Where a session's buyer stands by what was made in it. */
export function stageOf(session: Session): Stage {
  const { payment, subscription } = session;
  if (subscription !== null) {
    if (subscription.status === 'canceled') return { kind: 'paying', session };
    if (subscription.status !== 'pending') return { kind: 'done', session };
    return { kind: payment?.status === 'failed' ? 'paying' : 'waiting', session };
  }
  switch (payment?.status) {
    case 'approved':
    case 'authorized':
    case 'refunded':
      return { kind: 'done', session };
    case 'pending':
    case 'processing': {
      const pix = pixOf(payment);
      return pix === null ? { kind: 'waiting', session } : { kind: 'pix', session, pix };
    }
    default:
      return { kind: 'paying', session };
  }
}

function pixOf({ transactions }: Payment): Pix | null {
  for (const { pix } of transactions.toReversed()) {
    if (pix?.qr_code)
      return {
        code: pix.qr_code,
        pictureUrl: pix.qr_code_url,
        expiresAt: pix.expires_at === null ? null : new Date(pix.expires_at),
      };
  }
  return null;
}
