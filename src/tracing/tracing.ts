import type * as SpanExport from './span-export';
import { noSpans } from './spans';
import type { SpanCounts, StartedSpans, TracingSettings } from './started-spans';

const NOTHING: SpanCounts = { sent: 0, failed: 0, dropped: 0 };
const WARN_EVERY_MS = 60_000;

/**
 * What a process traces. Without a receiver in the settings OpenTelemetry's SDK is not even loaded.
 *
 * @param warn called when spans could not be sent, at most once a minute
 */
export function startTracing(
  settings: TracingSettings | null,
  processName: string,
  warn: () => void = () => undefined,
): StartedSpans {
  if (settings === null) return { spans: noSpans, counts: () => NOTHING, stop: () => Promise.resolve() };
  // Not imported: a process that traces nothing does not load the SDK.
  // eslint-disable-next-line typescript/no-require-imports -- Node's import() needs file extensions, which Jest does not resolve
  const { startSpanExport } = require('./span-export') as typeof SpanExport;
  let warnedAt = -Infinity;
  return startSpanExport(settings, processName, () => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    warn();
  });
}
