import type { Context } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type Span,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { RecordedSpans } from './recorded-spans';
import type { SpanCounts, StartedSpans, TracingSettings } from './started-spans';

/** Spans that wait to be sent: some megabytes. More are dropped. */
const MAX_WAITING = 2_048;
const BATCH = 512;
const SEND_EVERY_MS = 1_000;
/** Also what the end of a process waits for a collector that does not answer. */
const SEND_TIMEOUT_MS = 2_000;
const MAX_VALUE_LENGTH = 128;

/** Sends what a process traces to an OTLP receiver, in the background. */
export function startSpanExport(
  { tracesUrl, headers, serviceName, sampledShare }: TracingSettings,
  processName: string,
  reportFailure: () => void,
): StartedSpans {
  const counts = { sent: 0, failed: 0, dropped: 0 };
  const exporter = new OTLPTraceExporter({
    url: tracesUrl,
    headers,
    timeoutMillis: SEND_TIMEOUT_MS,
    concurrencyLimit: MAX_WAITING / BATCH,
  });
  const queue = new BoundedQueue(exporter, counts, reportFailure);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName ?? `payment-engine-${processName}` }),
    sampler: samplerOf(sampledShare),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_LENGTH, eventCountLimit: 0, linkCountLimit: 0 },
    spanProcessors: [queue],
  });
  return {
    spans: new RecordedSpans(provider.getTracer('payment-engine')),
    counts: () => counts,
    stop: () => provider.shutdown().catch(() => undefined),
  };
}

/**
 * Whether a trace is recorded is decided once, where it begins or enters the service; its other spans follow. The decision is
 * random: by the ids, a stranger who chooses them could have every one of its requests recorded.
 */
function samplerOf(share: number): Sampler {
  const own: Sampler = {
    shouldSample: () => ({
      decision: Math.random() < share ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `random ${share}`,
  };
  return new ParentBasedSampler({ root: own, remoteParentSampled: own, remoteParentNotSampled: own });
}

type Counts = { -readonly [Name in keyof SpanCounts]: SpanCounts[Name] };

/** The SDK's batch processor, which counts the spans that it sends, that it fails to send and that it drops. */
class BoundedQueue implements SpanProcessor {
  private waiting = 0;
  private readonly batches: BatchSpanProcessor;

  constructor(
    exporter: SpanExporter,
    private readonly counts: Counts,
    reportFailure: () => void,
  ) {
    const counting: SpanExporter = {
      export: (spans, done) => {
        exporter.export(spans, (result) => {
          this.waiting -= spans.length;
          if (result.code === ExportResultCode.SUCCESS) counts.sent += spans.length;
          else {
            counts.failed += spans.length;
            reportFailure();
          }
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    };
    this.batches = new BatchSpanProcessor({
      exporter: counting,
      maxQueueSize: MAX_WAITING,
      maxExportBatchSize: BATCH,
      scheduledDelayMillis: SEND_EVERY_MS,
      exportTimeoutMillis: 2 * SEND_TIMEOUT_MS,
    });
  }

  onStart(span: Span, parent: Context): void {
    this.batches.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    if (this.waiting >= MAX_WAITING) {
      this.counts.dropped += 1;
      return;
    }
    this.waiting += 1;
    this.batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.batches.shutdown();
  }
}
