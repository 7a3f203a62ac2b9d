import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolState } from '../persistence/sql/pooled-connection';
import type { SpanCounts } from '../tracing/started-spans';

/** Seconds. The largest bounds are the time limits: of a request, of a gateway call, of a wait for a connection. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** One of the buckets below. */
const SLOW_WAIT_SECONDS = 0.1;
const POOL_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** A request that has ended. */
export interface MeasuredRequest {
  /** The route's id in the contract, else the template of its path; never a path itself. */
  readonly route: string;
  readonly status: number;
  /** Whether the client closed the connection before the response was complete. */
  readonly isAborted: boolean;
  readonly seconds: number;
}

/** A call to a gateway's driver that has ended. */
export interface MeasuredCall {
  readonly gateway: string;
  readonly vendor: string;
  readonly operation: string;
  readonly outcome: string;
  readonly seconds: number;
}

/** An attempt to deliver a webhook that has ended. */
export interface MeasuredDelivery {
  /** Null without a response. */
  readonly status: number | null;
  readonly isRetry: boolean;
  readonly seconds: number;
}

/**
 * What a process measures, in Prometheus' terms. Labels have few values, all from the code or the settings: never a company, a
 * customer, an id or an address. Measuring costs microseconds, so it is always on; docs/operations/metrics.md lists the series.
 */
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'payment_engine_http_request_duration_seconds',
    help: 'HTTP requests by route and class of status.',
    labelNames: ['route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers: [this.registry],
  });
  private readonly calls = new Histogram({
    name: 'payment_engine_gateway_call_duration_seconds',
    help: 'Calls to gateways by operation and outcome; the outcome of an error is its family.',
    labelNames: ['gateway', 'vendor', 'operation', 'outcome'],
    buckets: CALL_BUCKETS,
    registers: [this.registry],
  });
  private readonly deliveries = new Histogram({
    name: 'payment_engine_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver webhooks by class of status.',
    labelNames: ['status', 'attempt'],
    buckets: CALL_BUCKETS,
    registers: [this.registry],
  });
  private readonly poolWaits = new Histogram({
    name: 'payment_engine_postgres_pool_wait_seconds',
    help: 'How long statements and transactions waited for a database connection.',
    buckets: POOL_BUCKETS,
    registers: [this.registry],
  });
  private readonly activityRetries = new Counter({
    name: 'payment_engine_activity_retries_total',
    help: 'Activities that ran again because they failed or their worker died.',
    labelNames: ['activity'],
    registers: [this.registry],
  });
  private readonly finds = new Counter({
    name: 'payment_engine_sweeper_finds_total',
    help: 'Rows that the sweeper found to be overdue, or old enough to delete.',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  private readonly sweepFailures = new Counter({
    name: 'payment_engine_sweeper_failures_total',
    help: 'Steps of the sweeper that failed.',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  private readonly sourceFailures = new Counter({
    name: 'payment_engine_metrics_source_failures_total',
    help: 'Scrapes that lack the metrics of a source, because it gave none in time.',
    labelNames: ['source'],
    registers: [this.registry],
  });

  requestEnded({ route, status, isAborted, seconds }: MeasuredRequest): void {
    this.requests.observe({ route, status: isAborted ? 'aborted' : statusClass(status) }, seconds);
  }

  gatewayCalled({ seconds, ...labels }: MeasuredCall): void {
    this.calls.observe(labels, seconds);
  }

  webhookAttempted({ status, isRetry, seconds }: MeasuredDelivery): void {
    const labels = {
      status: status === null ? 'no_response' : statusClass(status),
      attempt: isRetry ? 'retry' : 'first',
    };
    this.deliveries.observe(labels, seconds);
  }

  waitedForConnection(seconds: number): void {
    this.poolWaits.observe(seconds);
  }

  /** The waits for a connection of this process since it began; `slow` are those of more than 0.1 s. */
  async poolWaitTotals(): Promise<{
    readonly count: number;
    readonly seconds: number;
    readonly slow: number;
  }> {
    const { values } = await this.poolWaits.get();
    const valueOf = (series: string, bound?: number) =>
      values.find(({ metricName, labels }) => metricName?.endsWith(series) === true && labels.le === bound)
        ?.value ?? 0;
    const count = valueOf('_count');
    return { count, seconds: valueOf('_sum'), slow: count - valueOf('_bucket', SLOW_WAIT_SECONDS) };
  }

  activityRetried(activity: string): void {
    this.activityRetries.inc({ activity });
  }

  sweeperFound(kind: string, count: number): void {
    this.finds.inc({ kind }, count);
  }

  sweeperFailed(kind: string): void {
    this.sweepFailures.inc({ kind });
  }

  sourceFailed(source: string): void {
    this.sourceFailures.inc({ source });
  }

  /** Reads the pool's state at each scrape. */
  watchPool(read: () => PoolState): void {
    new Gauge({
      name: 'payment_engine_postgres_pool_connections',
      help: 'Connections of the pool by state; waiting counts statements and transactions that wait for one, max is the limit.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        const { used, idle, waiting, max } = read();
        this.set({ state: 'used' }, used);
        this.set({ state: 'idle' }, idle);
        this.set({ state: 'waiting' }, waiting);
        this.set({ state: 'max' }, max);
      },
    });
  }

  /** Reads at each scrape how many spans were sent, failed and dropped. */
  watchSpans(read: () => SpanCounts): void {
    new Counter({
      name: 'payment_engine_trace_spans_total',
      help: 'Recorded spans by result: sent, failed (the receiver did not accept them in time), dropped (the queue was full).',
      labelNames: ['result'],
      registers: [this.registry],
      collect() {
        const { sent, failed, dropped } = read();
        this.reset();
        this.inc({ result: 'sent' }, sent);
        this.inc({ result: 'failed' }, failed);
        this.inc({ result: 'dropped' }, dropped);
      },
    });
  }
}

/** `2xx` and so on. */
function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}
