import type { Measurement } from '../payments/measure';
import { showNumber } from '../support/format';

/** What the processes' metrics say of card payments since they started, summed over the processes. */
export interface ServiceFigures {
  readonly payments: number;
  /** The total time of their requests, in seconds. */
  readonly requestSeconds: number;
  readonly approvedCharges: number;
}

/** A request takes longer for its client, by the network and by its wait for the server's event loop, but not several times as long. */
const SHORTEST_SHARE = 0.5;

/** @param pages the text of each process's `/metrics` */
export function figuresOf(pages: readonly string[]): ServiceFigures {
  const request = 'payment_engine_http_request_duration_seconds';
  const created = { route: 'createCardPayment', status: '2xx' };
  const approved = { operation: 'charge', outcome: 'approved' };
  const total = (name: string, labels: Readonly<Record<string, string>>): number =>
    pages.reduce((sum, page) => sum + sumOf(page, name, labels), 0);
  return {
    payments: total(`${request}_count`, created),
    requestSeconds: total(`${request}_sum`, created),
    approvedCharges: total('payment_engine_gateway_call_duration_seconds_count', approved),
  };
}

export function difference(after: ServiceFigures, before: ServiceFigures): ServiceFigures {
  return {
    payments: after.payments - before.payments,
    requestSeconds: after.requestSeconds - before.requestSeconds,
    approvedCharges: after.approvedCharges - before.approvedCharges,
  };
}

/** Describes where the metrics of a round differ from what the load's clients counted and measured in it. */
export function disagreements(
  service: ServiceFigures,
  { payments, meanMs }: { readonly payments: number; readonly meanMs: number },
): string[] {
  const { approvedCharges, requestSeconds } = service;
  const serviceMs = (1_000 * requestSeconds) / service.payments;
  const isNear = serviceMs <= meanMs && serviceMs >= SHORTEST_SHARE * meanMs;
  return [
    ...(service.payments === payments
      ? []
      : [`the metrics count ${service.payments} payments, the clients ${payments}`]),
    ...(approvedCharges === payments
      ? []
      : [`the metrics count ${approvedCharges} approved charges of ${payments} payments`]),
    ...(isNear
      ? []
      : [
          `a payment took ${showNumber(serviceMs)} ms by the metrics, and ${showNumber(meanMs)} ms by the clients`,
        ]),
  ];
}

/** In a closed loop every caller waits for one response at a time, so the mean follows from the throughput. */
export function meanLatencyMs({ perSecond }: Measurement, concurrency: number): number {
  return (1_000 * concurrency) / perSecond;
}

/** The sum of the series of this name that have these labels. */
function sumOf(page: string, name: string, labels: Readonly<Record<string, string>>): number {
  const values = page.split('\n').flatMap((line) => {
    const [, series = '', value = ''] = /^(\w+\{.*\}) (\S+)$/.exec(line) ?? [];
    const isWanted =
      series.startsWith(`${name}{`) &&
      Object.entries(labels).every(([label, wanted]) => series.includes(`${label}="${wanted}"`));
    return isWanted ? [Number(value)] : [];
  });
  return values.reduce((sum, value) => sum + value, 0);
}
