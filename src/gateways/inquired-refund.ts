/**
 * How a refund is told from the other refunds of its charge at a gateway that keeps no reference of ours with it: by its
 * amount, and by what is recorded about the others.
 */
export interface InquiredRefund {
  readonly amountCents: number;
  /** The charge's other refunds that reached the gateway, or may have. */
  readonly others: readonly OtherRefund[];
}

export interface OtherRefund {
  readonly amountCents: number;
  /** `accepted`: its result is still to come. `refused`: accepted first and then refused, so the gateway lists it. */
  readonly status: 'refunded' | 'accepted' | 'refused' | 'unknown';
}

/** A refund as the gateway lists it. */
export interface ListedRefund {
  readonly amountCents: number;
  readonly state: 'done' | 'pending' | 'refused';
}

/** What a list of refunds says about one of them. `unclear`: refunds of the same amount may have changed places. */
export type RefundMatch = ListedRefund['state'] | 'absent' | 'unclear';

/** The state of the refund by the gateway's complete list of the charge's refunds. */
export function matchRefund(refund: InquiredRefund, listed: readonly ListedRefund[]): RefundMatch {
  const hasAmount = ({ amountCents }: { readonly amountCents: number }): boolean =>
    amountCents === refund.amountCents;
  const states = listed.filter(hasAmount).map(({ state }) => state);
  const others = refund.others.filter(hasAmount).map(({ status }) => status);
  const [done, pending, refused] = [
    count(states, 'done'),
    count(states, 'pending'),
    count(states, 'refused'),
  ];
  const [accepted, unknown] = [count(others, 'accepted'), count(others, 'unknown')];
  const recorded = count(others, 'refunded');
  // What the records do not explain.
  const free = done + pending - recorded - accepted;
  const freeRefused = refused - count(others, 'refused');
  if (freeRefused > 0 && accepted + unknown > 0) return 'unclear';
  if (free < 0 || (free > 0 && free <= unknown)) return 'unclear';
  if (free === 0) return freeRefused > 0 ? 'refused' : 'absent';
  if (pending === 0) return 'done';
  if (done === 0) return 'pending';
  if (accepted + unknown > 0) return 'unclear';
  return done > recorded ? 'done' : 'pending';
}

function count<Item>(items: readonly Item[], wanted: Item): number {
  return items.filter((item) => item === wanted).length;
}

/** What an inquiry is about. */
export interface InquirySubject {
  readonly reference: string;
  readonly gatewayTransactionId: string | null;
  /** When the request was sent, the last time if it was repeated; null if it is not known. For gateways that list by time only. */
  readonly sentAt: Date | null;
  /** Set for a refund. For gateways that keep no reference of ours with it. */
  readonly refund?: InquiredRefund;
}
