import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { createLogger } from '../../../src/log';
import { Metrics } from '../../../src/metrics/metrics';
import { failureOf, runWithin } from '../../../src/tracing/spans';
import { startTracing } from '../../../src/tracing/tracing';
import { startSpanReceiver, type ReceivedSpan, type SpanReceiver } from '../../support/tracing/span-receiver';

let receiver: SpanReceiver;
beforeAll(async () => {
  receiver = await startSpanReceiver();
});
afterAll(() => receiver.close());

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SPAN = { name: 'test', kind: 'internal' } as const;

function tracingTo(url: string, sampledShare = 1) {
  const settings = { tracesUrl: `${url}/v1/traces`, headers: {}, serviceName: null, sampledShare };
  return startTracing(settings, 'test');
}

/** What the receiver gets of a span that `act` opens. */
async function sent(
  act: (tracing: ReturnType<typeof tracingTo>) => Promise<void> | void,
  sampledShare = 1,
): Promise<ReceivedSpan[]> {
  const tracing = tracingTo(receiver.url, sampledShare);
  const before = receiver.spans.length;
  await act(tracing);
  await tracing.stop();
  return receiver.spans.slice(before);
}

/** With this parent. */
const sentBelow = (traceparent: string, isOurs: boolean, sampledShare = 1) =>
  sent(({ spans }) => spans.start(SPAN, { traceparent, isOurs }).end(), sampledShare);

describe('the trace of a caller', () => {
  it.each([
    ['recorded', 1, '00', 1],
    ['not recorded', 0, '01', 0],
  ])('is continued and %s by our own share, whatever the caller decided', async (_, share, flags, count) => {
    const spans = await sentBelow(`00-${TRACE}-${PARENT}-${flags}`, false, share);
    expect(spans).toHaveLength(count);
    for (const span of spans) expect(span).toMatchObject({ traceId: TRACE, parentId: PARENT });
  });

  it.each([
    ['00', 1, 0],
    ['01', 0, 1],
  ])('is recorded as decided (%s) if a process of ours began it', async (flags, share, count) => {
    expect(await sentBelow(`00-${TRACE}-${PARENT}-${flags}`, true, share)).toHaveLength(count);
  });

  it.each([
    ['', 'canary', `00-${'0'.repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`],
    [`00-${TRACE}-${PARENT}-01${'-x'.repeat(100)}`],
  ])('is ignored if it is malformed', async (...traceparents) => {
    for (const traceparent of traceparents) {
      const [span] = await sentBelow(traceparent, false);
      expect(span).toMatchObject({ name: 'test', parentId: null, traceId: expect.not.stringMatching(TRACE) });
    }
  });
});

describe('a span', () => {
  it('has only the listed attributes, short ones, and of an error its class', async () => {
    class DeclinedByBank extends Error {
      override readonly name = 'DeclinedByBank';
    }
    const [span] = await sent(async ({ spans }) => {
      const attributes = { gateway: 'g'.repeat(1_000), email: 'maria@example.com' };
      const open = spans.start({ ...SPAN, attributes });
      const failing = runWithin(open, () => Promise.reject(new DeclinedByBank('maria@example.com')));
      await expect(failing).rejects.toThrow(DeclinedByBank);
    });
    expect(span).toMatchObject({
      service: 'payment-engine-test',
      attributes: { gateway: 'g'.repeat(128), 'error.type': 'DeclinedByBank' },
      status: { code: 2 },
      events: 0,
    });
    expect(Object.keys(span?.attributes ?? {})).toEqual(['gateway', 'error.type']);
    expect(receiver.bytes()).not.toContain('maria');
    expect(failureOf(Object.assign(new Error(), { name: 'for maria@example.com' }))).toBe('Error');
  });

  it('is made around work only within a recorded trace', async () => {
    const spans = await sent(async (tracing) => {
      await tracing.spans.around(SPAN, () => Promise.resolve());
      const open = tracing.spans.start({ ...SPAN, name: 'parent' });
      await runWithin(open, () => tracing.spans.around(SPAN, () => Promise.resolve()));
    });
    expect(spans.map(({ name, parentId }) => [name, parentId === null]).sort()).toEqual([
      ['parent', true],
      ['test', false],
    ]);
  });

  it('gives its trace to the log lines written within it', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const [span] = await sent(({ spans }) => {
      const log = createLogger({
        level: 'info',
        process: 'test',
        destination,
        traceId: () => spans.traceId(),
      });
      const open = spans.start(SPAN);
      open.within(() => log.child({ request_id: 'req_1' }).info({ company_id: 7 }, 'inside'));
      log.info('outside');
      open.end();
    });
    const [inside, outside] = lines.map((line) => JSON.parse(line) as object);
    expect(inside).toMatchObject({ trace_id: span?.traceId, request_id: 'req_1', company_id: 7 });
    expect(outside).not.toHaveProperty('trace_id');
  });
});

describe('a receiver of spans that hangs', () => {
  it('makes the process drop and count spans beyond 2048, and delays its end by at most seconds', async () => {
    const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const tracing = tracingTo(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}`);
    for (let count = 0; count < 3_000; count += 1) tracing.spans.start(SPAN).end();
    expect(tracing.counts()).toEqual({ sent: 0, failed: 0, dropped: 3_000 - 2_048 });
    const startedAt = performance.now();
    await tracing.stop();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    hanging.closeAllConnections();
    hanging.close();

    const metrics = new Metrics();
    metrics.watchSpans(() => tracing.counts());
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^payment_engine_trace_spans_total\{result="dropped"\} 952$/m);
    expect(text).toMatch(/^payment_engine_trace_spans_total\{result="failed"\} [1-9]\d*$/m);
  });
});

it('without a receiver in the settings nothing is traced, and OpenTelemetry is not loaded', () => {
  jest.isolateModules(() => {
    jest.doMock('../../../src/tracing/span-export', () => {
      throw new Error('it was loaded');
    });
    const isolated = jest.requireActual<{ startTracing: typeof startTracing }>(
      '../../../src/tracing/tracing',
    );
    const { spans } = isolated.startTracing(null, 'test');
    expect([spans.isOn, spans.traceparent(), spans.traceId()]).toEqual([false, null, undefined]);
    const on = { tracesUrl: receiver.url, headers: {}, serviceName: null, sampledShare: 1 };
    expect(() => isolated.startTracing(on, 'test')).toThrow('it was loaded');
  });
});
