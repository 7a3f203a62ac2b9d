import type { Spans } from './spans';

export interface TracingSettings {
  /** Where spans are sent by OTLP over HTTP. */
  readonly tracesUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: `payment-engine-` and the name of the process. */
  readonly serviceName: string | null;
  /** Of the traces that begin here, 0 to 1. */
  readonly sampledShare: number;
}

/** What became of the recorded spans of a process. */
export interface SpanCounts {
  readonly sent: number;
  /** The receiver was away, too slow, or refused them. */
  readonly failed: number;
  /** Too many were waiting. */
  readonly dropped: number;
}

export interface StartedSpans {
  readonly spans: Spans;
  readonly counts: () => SpanCounts;
  /** Sends what is waiting, or gives up after two seconds. */
  stop(): Promise<void>;
}
