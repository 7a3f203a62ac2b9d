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

/** The recorded spans of a process by their result. */
export interface SpanCounts {
  readonly sent: number;
  /** The receiver did not accept them in time. */
  readonly failed: number;
  /** The queue was full. */
  readonly dropped: number;
}

export interface StartedSpans {
  readonly spans: Spans;
  readonly counts: () => SpanCounts;
  /** Sends what is waiting, or gives up after two seconds. */
  stop(): Promise<void>;
}
