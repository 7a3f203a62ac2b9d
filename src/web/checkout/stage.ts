import type { Problem } from './page-data';
import type { Payment, Session } from './session/session-api';

export type Stage =
  | { readonly kind: 'loading' }
  /** The buyer enters name, email and tax id. */
  | { readonly kind: 'details' }
  /** The buyer chooses how to pay. */
  | { readonly kind: 'payment'; readonly session: Session }
  /** The result of the charge is not known yet. */
  | { readonly kind: 'processing'; readonly session: Session }
  | { readonly kind: 'pix'; readonly session: Session; readonly pix: Pix }
  | { readonly kind: 'done'; readonly session: Session }
  | { readonly kind: 'ended'; readonly problem: Problem };

export interface Pix {
  /** The code to copy and paste. */
  readonly code: string;
  /** URL of the QR code. */
  readonly qrCodeUrl: string | null;
  readonly expiresAt: Date | null;
}

/** Derives the stage from the session's payment or subscription. */
export function stageOf(session: Session): Stage {
  const { payment, subscription } = session;
  if (subscription !== null) {
    if (subscription.status === 'canceled') return { kind: 'payment', session };
    if (subscription.status !== 'pending') return { kind: 'done', session };
    return { kind: payment?.status === 'failed' ? 'payment' : 'processing', session };
  }
  switch (payment?.status) {
    case 'approved':
    case 'authorized':
    case 'refunded':
      return { kind: 'done', session };
    case 'pending':
    case 'processing': {
      const pix = pixOf(payment);
      return pix === null ? { kind: 'processing', session } : { kind: 'pix', session, pix };
    }
    default:
      return { kind: 'payment', session };
  }
}

function pixOf({ transactions }: Payment): Pix | null {
  for (const { pix } of transactions.toReversed()) {
    if (pix?.qr_code)
      return {
        code: pix.qr_code,
        qrCodeUrl: pix.qr_code_url,
        expiresAt: pix.expires_at === null ? null : new Date(pix.expires_at),
      };
  }
  return null;
}
