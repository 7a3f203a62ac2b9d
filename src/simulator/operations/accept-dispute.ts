import type { ChargeStore, StoredCharge, StoredDispute } from '../charge-store';

/** A dispute with its charge. */
export interface FoundDispute {
  readonly charge: StoredCharge;
  readonly dispute: StoredDispute;
}

export function findDispute(store: ChargeStore, id: string): FoundDispute | null {
  const charge = store.withDispute(id);
  const dispute = charge?.disputes?.find((one) => one.id === id);
  return charge === null || dispute === undefined ? null : { charge, dispute };
}

/** What the merchant accepts is lost. The money was taken when the dispute was opened. */
export function acceptDispute(store: ChargeStore, { charge, dispute }: FoundDispute): FoundDispute {
  // Later than the change before it, so that receivers can tell their order.
  const now = new Date(Math.max(Date.now(), Date.parse(dispute.changedAt) + 1));
  const accepted = { ...dispute, status: 'lost', returned: 0, changedAt: now.toISOString() } as const;
  const others = (charge.disputes ?? []).filter(({ id }) => id !== dispute.id);
  const changed = { ...charge, disputes: [...others, accepted] };
  store.commit(changed, charge.reference, [], now);
  return { charge: changed, dispute: accepted };
}
