import { Router } from 'express';
import { unavailable } from '../../domain/shared/errors';
import { errorBody } from './error-handler';
import { refuseMethod } from './refuse-method';

/** Resolves when the dependency answers. */
export type HealthCheck = () => Promise<void>;
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

type Readiness = Readonly<Record<string, 'up' | 'down'>>;

const CHECK_TIMEOUT_MS = 2_000;

/** `/live` is the process alone; `/ready` is 503, and says which one, while any dependency is down. */
export function healthRouter(checks: HealthChecks): Router {
  const readiness = shared(() => checkAll(checks));
  const router = Router();
  router.use((req, _res, next) => {
    req.context.route = '/health';
    next();
  });
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
    res.setHeader('Retry-After', 1);
    res.status(503).json({ ...errorBody(error, req.context.requestId), status: 'unavailable', dependencies });
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
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), CHECK_TIMEOUT_MS);
  });
  const answered = check().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

/** Callers that come while one is under way get its result: a flood of probes asks each dependency once at a time. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}
