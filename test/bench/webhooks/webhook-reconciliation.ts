/** A delivery in the database. */
export interface RecordedDelivery {
  readonly id: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** The number of attempts. */
  readonly retryCount: number;
}

/** The requests that a receiver got with one `webhook-id`. */
export interface ReceivedRequests {
  readonly requests: number;
  /** Requests whose signature is not valid for the endpoint's secret. */
  readonly invalidSignatures: number;
}

/** The expected result of every delivery to one endpoint. */
export interface ExpectedEnd {
  readonly status: 'delivered' | 'failed';
  readonly attempts: number;
}

/** Describes every difference between the created deliveries of one endpoint, the database, and the receiver's log. */
export function deliveryViolations(
  created: readonly string[],
  recorded: readonly RecordedDelivery[],
  received: Readonly<Record<string, ReceivedRequests>>,
  expected: ExpectedEnd,
): string[] {
  const byId = new Map(recorded.map((delivery) => [delivery.id, delivery]));
  const wrongStatuses = created.filter((id) => byId.get(id)?.status !== expected.status);
  const wrongCounts = created.filter((id) => byId.get(id)?.retryCount !== expected.attempts);
  const notReceived = created.filter((id) => received[`msg_${id}`]?.requests !== byId.get(id)?.retryCount);
  const unknownIds = Object.keys(received).length - created.filter((id) => `msg_${id}` in received).length;
  const invalid = Object.values(received).reduce((sum, each) => sum + each.invalidSignatures, 0);
  return [
    ...describeDeliveries(wrongStatuses, `are not ${expected.status}`),
    ...describeDeliveries(wrongCounts, `do not have ${expected.attempts} attempts`),
    ...describeDeliveries(notReceived, 'were not received as often as they were attempted'),
    ...(unknownIds === 0 ? [] : [`the receiver got ${unknownIds} ids that were not created`]),
    ...(invalid === 0 ? [] : [`${invalid} requests had no valid signature`]),
  ];
}

function describeDeliveries(ids: readonly string[], problem: string): string[] {
  return ids.length === 0 ? [] : [`${ids.length} deliveries ${problem}, for example ${ids[0]}`];
}
