/** One delivery as the database has it. */
export interface BookedDelivery {
  readonly id: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Attempts made. */
  readonly retryCount: number;
}

/** What a receiver has heard under one `webhook-id`. */
export interface ResolveStatus {
  readonly requests: number;
  /** Those whose signature is not the endpoint's. */
  readonly forged: number;
}

/** How every delivery to one endpoint must have ended. */
export interface ExpectedEnd {
  readonly status: 'delivered' | 'failed';
  readonly attempts: number;
}

/** What is wrong with one endpoint's deliveries, in words: what was born = what the database says = what its receiver heard. */
export function deliveryViolations(
  born: readonly string[],
  booked: readonly BookedDelivery[],
  heard: Readonly<Record<string, ResolveStatus>>,
  expected: ExpectedEnd,
): string[] {
  const byId = new Map(booked.map((delivery) => [delivery.id, delivery]));
  const wrongEnds = born.filter((id) => byId.get(id)?.status !== expected.status);
  const wrongCounts = born.filter((id) => byId.get(id)?.retryCount !== expected.attempts);
  const unlike = born.filter((id) => heard[`msg_${id}`]?.requests !== byId.get(id)?.retryCount);
  const strange = Object.keys(heard).length - born.filter((id) => `msg_${id}` in heard).length;
  const forged = Object.values(heard).reduce((sum, each) => sum + each.forged, 0);
  return [
    ...told(wrongEnds, `are not ${expected.status}`),
    ...told(wrongCounts, `did not take ${expected.attempts} attempts`),
    ...told(unlike, 'were not heard of as often as they were tried'),
    ...(strange === 0 ? [] : [`the receiver heard of ${strange} ids that were never born`]),
    ...(forged === 0 ? [] : [`${forged} requests were not signed by the endpoint's secret`]),
  ];
}

function told(ids: readonly string[], problem: string): string[] {
  return ids.length === 0 ? [] : [`${ids.length} deliveries ${problem}, as ${ids[0]}`];
}
