import { Gauge } from 'prom-client';
import type { Backlog } from '../persistence/read-models/backlog';
import type { Metrics } from './metrics';

type ReadBacklog = () => Promise<Backlog>;

/** Scrapes within this time share one reading. */
const FRESH_MS = 10_000;
/** A scrape does not wait longer for the database; a later one has the values. */
const WAIT_MS = 2_000;

type Show = (gauge: Gauge, backlog: Backlog) => void;

/**
 * Exports what waits in the database, and whether it can be read. While it cannot, the series are missing instead of old, so that
 * nobody trusts them.
 */
export function watchBacklog(metrics: Metrics, read: ReadBacklog): void {
  const latest = latestOf(read);
  // Prometheus reads all gauges at once, so each of them waits for the same reading.
  const gauge = (name: string, help: string, labelNames: string[], show: Show): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [metrics.registry],
      async collect() {
        const backlog = await latest();
        // Without labels this sets it to 0.
        this.reset();
        if (backlog !== null) show(this, backlog);
      },
    });
  };
  gauge(
    'payment_engine_backlog_readable',
    '1 if the backlog could be read from the database in time, else 0.',
    [],
    (shown) => shown.set(1),
  );
  gauge(
    'payment_engine_backlog_items',
    'Work that waits in the database, by kind; at most 10000.',
    ['kind'],
    (shown, { waiting }) => {
      for (const { kind, count } of waiting) shown.set({ kind }, count);
    },
  );
  gauge(
    'payment_engine_backlog_oldest_age_seconds',
    'Age of the oldest work that waits in the database, by kind.',
    ['kind'],
    (shown, { waiting }) => {
      for (const { kind, oldestAgeSeconds } of waiting) shown.set({ kind }, oldestAgeSeconds);
    },
  );
  gauge(
    'payment_engine_gateway_circuits_open',
    'Companies whose circuit at the gateway is open.',
    ['gateway'],
    (shown, { circuits }) => {
      for (const { gateway, count } of circuits) shown.set({ gateway }, count);
    },
  );
}

/** Null if the reading failed, or takes too long. */
function latestOf(read: ReadBacklog): () => Promise<Backlog | null> {
  let startedAt = -Infinity;
  let reading: Promise<Backlog | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - startedAt >= FRESH_MS) {
      startedAt = performance.now();
      reading = read().catch(() => null);
    }
    return within(reading, WAIT_MS);
  };
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
