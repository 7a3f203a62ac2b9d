import { Router } from 'express';
import { unavailable } from '../../domain/shared/errors';
import { sendError } from './error-handler';
import { refuseMethod } from './refuse-method';
import { setRoute } from './request-context';

/** Resolves if the dependency answers. */
export type HealthCheck = () => Promise<void>;
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

type Readiness = Readonly<Record<string, 'up' | 'down'>>;

const CHECK_TIMEOUT_MS = 2_000;

/** `/live` checks only the process; `/ready` is 503 and names the dependencies that are down. */
export function healthRouter(checks: HealthChecks): Router {
  const readiness = shareConcurrent(() => checkAll(checks));
  const router = Router();
  router.use(setRoute('/health'));
  router.get('/live', (_req, res) => {
    res.json({ status: 'live' });
  });
  router.get('/ready', async (req, res) => {
    const dependencies = await readiness();
    const down = Object.keys(dependencies).filter((name) => dependencies[name] === 'down');
    if (down.length === 0) {
      res.json({ status: 'ready', dependencies });
      return;
    }
    const error = unavailable(`Not reachable: ${down.join(', ')}.`);
    sendError(res, error, req.context.requestId, { status: 'unavailable', dependencies });
  });
  router.all(['/live', '/ready'], refuseMethod(['GET']));
  return router;
}

async function checkAll(checks: HealthChecks): Promise<Readiness> {
  const entries = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function stateOf(check: HealthCheck): Promise<'up' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), CHECK_TIMEOUT_MS);
  });
  const result = check().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}

/** Concurrent callers share one run, so many probes cause only one check of each dependency at a time. */
function shareConcurrent<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}
