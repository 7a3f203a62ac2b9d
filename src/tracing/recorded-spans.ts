import { AsyncLocalStorage } from 'node:async_hooks';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import {
  noSpan,
  runWithin,
  SPAN_ATTRIBUTES,
  type NewSpan,
  type OpenSpan,
  type RemoteSpan,
  type SpanAttributes,
  type Spans,
} from './spans';

const KINDS: Readonly<Record<NewSpan['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  consumer: SpanKind.CONSUMER,
  producer: SpanKind.PRODUCER,
};
const ALLOWED: ReadonlySet<string> = new Set(SPAN_ATTRIBUTES);
/** A later version of the format may append fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const MAX_TRACEPARENT_LENGTH = 128;

/** Spans of a tracer. What is active follows the calls of this process, without OpenTelemetry's global state. */
export class RecordedSpans implements Spans {
  readonly isOn = true;
  private readonly active = new AsyncLocalStorage<Context>();

  constructor(private readonly tracer: Tracer) {}

  start({ name, kind, attributes = {} }: NewSpan, parent?: RemoteSpan): OpenSpan {
    const context = contextOf(parent) ?? this.active.getStore() ?? ROOT_CONTEXT;
    const options = { kind: KINDS[kind], attributes: allowed(attributes) };
    return this.open(this.tracer.startSpan(name, options, context), context);
  }

  async around<Result>(span: NewSpan, work: (span: OpenSpan) => Promise<Result>): Promise<Result> {
    const context = this.active.getStore();
    // Of a trace that is not recorded this is a span without effect, which costs nothing.
    if (context === undefined || trace.getSpan(context)?.isRecording() !== true) return work(noSpan);
    const open = this.start(span);
    return runWithin(open, () => work(open));
  }

  traceparent(): string | null {
    const span = this.activeSpan();
    if (span === undefined) return null;
    return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  }

  traceId(): string | undefined {
    return this.activeSpan()?.traceId;
  }

  private activeSpan(): SpanContext | undefined {
    const context = this.active.getStore();
    return context === undefined ? undefined : trace.getSpanContext(context);
  }

  private open(span: Span, parent: Context): OpenSpan {
    const context = trace.setSpan(parent, span);
    return {
      rename: (name) => void span.updateName(name),
      set: (attributes) => void span.setAttributes(allowed(attributes)),
      within: (work) => this.active.run(context, work),
      end: (failure) => {
        if (failure !== undefined) {
          span.setAttributes(allowed({ 'error.type': failure }));
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }
}

function allowed(attributes: SpanAttributes): SpanAttributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => ALLOWED.has(name)));
}

function contextOf(remote: RemoteSpan | undefined): Context | null {
  if (remote === undefined || remote.traceparent.length > MAX_TRACEPARENT_LENGTH) return null;
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(remote.traceparent) ?? [];
  // The sampler follows the decision of a parent that is not remote.
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: !remote.isOurs };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : null;
}
