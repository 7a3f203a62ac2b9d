import { createHash } from 'node:crypto';
import type { ChargeStore, StoredCharge, StoredDispute, StoredEvidence } from '../charge-store';

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
export function acceptDispute(store: ChargeStore, found: FoundDispute): FoundDispute {
  return change(store, found, { status: 'lost', returned: 0 });
}

/** The merchant's evidence. The dispute waits for the network from now on. */
export function submitEvidence(
  store: ChargeStore,
  found: FoundDispute,
  evidence: readonly StoredEvidence[],
): FoundDispute {
  return change(store, found, { status: 'submitted', evidence });
}

/** Evidence as the simulator keeps it: what it is, and a hash by which a test recognizes it. */
export function storedEvidence(kind: string, content: Buffer): StoredEvidence {
  return { kind, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Whether evidence comes too late. */
export function isPastDue({ evidenceDueAt }: StoredDispute, now: Date): boolean {
  return evidenceDueAt !== null && Date.parse(evidenceDueAt) <= now.getTime();
}

function change(
  store: ChargeStore,
  { charge, dispute }: FoundDispute,
  to: Partial<StoredDispute>,
): FoundDispute {
  // Later than the change before it, so that receivers can tell their order.
  const now = new Date(Math.max(Date.now(), Date.parse(dispute.changedAt) + 1));
  const after = { ...dispute, ...to, changedAt: now.toISOString() };
  const others = (charge.disputes ?? []).filter(({ id }) => id !== dispute.id);
  const changed = { ...charge, disputes: [...others, after] };
  store.commit(changed, charge.reference, [], now);
  return { charge: changed, dispute: after };
}
