import { GatewayError } from '../../../src/gateways/errors';
import type { GatewayContext, GatewayDriver } from '../../../src/gateways/gateway';
import { measuredDriver, type ObservedCall } from '../../../src/gateways/measured/measured-driver';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { freePort } from '../../../src/dev/ports';
import { Metrics } from '../../../src/metrics/metrics';
import { serveMetrics } from '../../../src/metrics/metrics-server';
import { watchBacklog } from '../../../src/metrics/backlog-metrics';

describe('a measured driver', () => {
  const ctx = { gateway: 'gateway_3' } as GatewayContext;
  const calls: Array<Omit<ObservedCall, 'seconds'>> = [];
  const measured = (methods: Partial<GatewayDriver>): GatewayDriver =>
    measuredDriver(Object.assign(new SimulatorDriver(), methods), ({ seconds, ...call }) => {
      expect(seconds).toBeGreaterThanOrEqual(0);
      calls.push(call);
    });
  beforeEach(() => calls.splice(0));

  it('tells the outcome of each call, and the family of its error', async () => {
    const driver = measured({
      inquire: () => Promise.resolve({ kind: 'inconclusive', reason: 'canary of a customer' }),
      charge: () => Promise.reject(new GatewayError('ambiguous', 'canary of a customer')),
      verifyCredentials: () => Promise.resolve(),
      findRecipient: () => Promise.resolve(null),
      capture: () => Promise.reject(new TypeError('a bug')),
    });
    await driver.inquire(ctx, { reference: 'r', gatewayTransactionId: null, sentAt: null });
    await expect(driver.charge(ctx, {} as never)).rejects.toThrow('canary');
    await driver.verifyCredentials?.(ctx);
    await driver.findRecipient?.(ctx, 'r', {} as never);
    await expect(driver.capture(ctx, {} as never)).rejects.toThrow('a bug');
    const at = { gateway: 'gateway_3', vendor: 'simulator' };
    expect(calls).toEqual([
      { ...at, operation: 'inquire', outcome: 'inconclusive' },
      { ...at, operation: 'charge', outcome: 'ambiguous' },
      { ...at, operation: 'verifyCredentials', outcome: 'ok' },
      { ...at, operation: 'findRecipient', outcome: 'not_found' },
      { ...at, operation: 'capture', outcome: 'exception' },
    ]);
  });

  it('is the driver in all else, and has none of the methods that the driver lacks', () => {
    const driver = measured({ verifyCredentials: undefined } as object);
    expect(driver.verifyCredentials).toBeUndefined();
    expect(driver.capabilities('gateway_1')).toEqual(new SimulatorDriver().capabilities('gateway_1'));
    expect(calls).toEqual([]);
  });
});

describe('the server of metrics', () => {
  it('adds the metrics of other sources, and counts those that give none', async () => {
    const metrics = new Metrics();
    const address = { host: '127.0.0.1', port: await freePort() };
    const server = await serveMetrics(metrics, address, [
      { name: 'temporal', read: () => Promise.resolve('temporal_series 1\n') },
      { name: 'broken', read: () => Promise.reject(new Error('canary')) },
    ]);
    const url = `http://127.0.0.1:${address.port}`;
    const response = await fetch(`${url}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(text).toMatch(/^temporal_series 1$/m);
    expect(text).toMatch(/^payment_engine_metrics_source_failures_total\{source="broken"\} 1$/m);
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text).not.toContain('canary');
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    await server.close();
  });
});

it('a request that its client gave up counts as aborted, and not by the status that it would have had', async () => {
  const metrics = new Metrics();
  const request = { route: 'createCardPayment', status: 200, seconds: 0.2 };
  metrics.requestEnded({ ...request, isAborted: false });
  metrics.requestEnded({ ...request, isAborted: true });
  const text = await metrics.registry.metrics();
  for (const status of ['2xx', 'aborted']) {
    expect(text).toContain(
      `payment_engine_http_request_duration_seconds_count{route="createCardPayment",status="${status}"} 1\n`,
    );
  }
});

describe('the metrics of what waits', () => {
  const backlog = {
    waiting: [{ kind: 'payment_review', count: 3, oldestAgeSeconds: 60 }],
    circuits: [{ gateway: 'gateway_2', count: 1 }],
  } as const;

  it('share one reading of the database among scrapes that follow each other closely', async () => {
    const metrics = new Metrics();
    const read = jest.fn(() => Promise.resolve(backlog));
    watchBacklog(metrics, read);
    await metrics.registry.metrics();
    const text = await metrics.registry.metrics();
    expect(read).toHaveBeenCalledTimes(1);
    expect(text).toMatch(/^payment_engine_backlog_readable 1$/m);
    expect(text).toMatch(/^payment_engine_backlog_items\{kind="payment_review"\} 3$/m);
    expect(text).toMatch(/^payment_engine_backlog_oldest_age_seconds\{kind="payment_review"\} 60$/m);
    expect(text).toMatch(/^payment_engine_gateway_circuits_open\{gateway="gateway_2"\} 1$/m);
  });

  it('are missing while the database cannot be read, and all others are served', async () => {
    const metrics = new Metrics();
    watchBacklog(metrics, () => Promise.reject(new Error('canary')));
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^payment_engine_backlog_readable 0$/m);
    expect(text).not.toMatch(/^payment_engine_backlog_items\{|canary/m);
    expect(text).toContain('payment_engine_postgres_pool_wait_seconds_count 0');
  });
});
