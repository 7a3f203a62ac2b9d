/**
 * The only attributes that spans can have; any other is dropped. Their values are names from the code, the settings or the contract,
 * numbers, and our own ids: never an address, a body, a parameter of a statement or a text of another system. Add a name only if
 * that holds for its values.
 */
export const SPAN_ATTRIBUTES = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'company_id',
  'workflow_id',
  'workflow_type',
  'activity',
  'activity_attempt',
  'activity_is_local',
  'gateway',
  'vendor',
  'operation',
  'outcome',
  'delivery_attempt',
] as const;

export type SpanAttributes = Readonly<
  Partial<Record<(typeof SPAN_ATTRIBUTES)[number], string | number | boolean>>
>;

/** What a new span shows from its start. Its name is a constant of the code, or made of a route or a gateway. */
export interface NewSpan {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal' | 'consumer' | 'producer';
  readonly attributes?: SpanAttributes;
}

/** The span of another process, in W3C's format `traceparent`. A text that is malformed counts as none. */
export interface RemoteSpan {
  readonly traceparent: string;
  /** Whether our own processes wrote it. Of a stranger's span only the ids are used: whether we record is our own decision. */
  readonly isOurs: boolean;
}

export interface OpenSpan {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Runs `work` with this span as the active one. */
  within<Result>(work: () => Result): Result;
  /** @param failure the class or family of the error that ended it, never its message */
  end(failure?: string): void;
}

/** What a process traces. Nothing here throws, waits or sends: spans are sent in the background, or dropped. */
export interface Spans {
  readonly isOn: boolean;
  /** Starts a span below `parent` if there is one, else below the active span, else as the first of a trace. */
  start(span: NewSpan, parent?: RemoteSpan): OpenSpan;
  /** Runs `work` in a span below the active one. Only runs it if no span is active, or its trace is not recorded. */
  around<Result>(span: NewSpan, work: (span: OpenSpan) => Promise<Result>): Promise<Result>;
  /** The active span, for another process of ours; null without one. */
  traceparent(): string | null;
  /** The active span's trace, for log lines. */
  traceId(): string | undefined;
}

/** Runs `work` within the span, and ends the span with it. */
export async function runWithin<Result>(span: OpenSpan, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await span.within(work);
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

const CLASS_NAME = /^\w{1,60}$/;

/** The error's class. */
export function failureOf(error: unknown): string {
  return error instanceof Error && CLASS_NAME.test(error.name) ? error.name : 'Error';
}

/** A span without effect. */
export const noSpan: OpenSpan = {
  rename: () => undefined,
  set: () => undefined,
  within: (work) => work(),
  end: () => undefined,
};

/** For a process that traces nothing. */
export const noSpans: Spans = {
  isOn: false,
  start: () => noSpan,
  around: (_span, work) => work(noSpan),
  traceparent: () => null,
  traceId: () => undefined,
};
