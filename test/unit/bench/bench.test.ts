import {
  compareWithLedger,
  verifyApproved,
  type RecordedPayment,
} from '../../support/scenarios/reconciliation';
import { kindsFigures } from '../../bench/payments/kinds';
import { runLoad, type Call } from '../../bench/support/load';
import { evaluateMemory, renderMemory, type MemorySample } from '../../bench/payments/memory';
import type { Measurement, SubjectName } from '../../bench/payments/measure';
import { firstAnswer } from '../../bench/support/payment-calls';
import { renderReport } from '../../bench/payments/report';
import { percentile, spreadOf } from '../../bench/support/statistics';
import { CONCURRENCIES, STEADY_PER_SECOND, Summary, type BenchResults } from '../../bench/payments/summary';
import { table } from '../../bench/support/table';
import { callbackViolations } from '../../bench/support/verify';
import type { LedgerEntry } from '../../../src/simulator/ledger';

describe('percentiles', () => {
  it('interpolate between the nearest values of the sample', () => {
    expect(percentile([40, 10, 30, 20], 50)).toBe(25);
    expect(percentile([1, 2, 3, 4, 5], 99)).toBeCloseTo(4.96);
    expect(percentile([7], 95)).toBe(7);
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  });

  it('throw for an empty sample', () => {
    expect(() => percentile([], 50)).toThrow('no values');
  });
});

describe('a load', () => {
  const call: Call = () => Promise.resolve(firstAnswer('id'));

  it('with a call count makes exactly that many calls', async () => {
    const { ids, latenciesMs } = await runLoad({ kind: 'counted', concurrency: 4, count: 10 }, call);
    expect([ids.length, latenciesMs.length]).toEqual([10, 10]);
  });

  it('in an open loop starts calls on schedule and measures latency from the scheduled time', async () => {
    let release: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    const held: Call = async () => {
      calls += 1;
      if (calls === 5) release?.();
      await gate;
      return firstAnswer('id');
    };
    const { latenciesMs } = await runLoad({ kind: 'open', perSecond: 100, forMs: 50 }, held);
    expect(calls).toBe(5);
    expect(latenciesMs[0]).toBeGreaterThanOrEqual(39);
  });

  it('measures the second step separately from the first response', async () => {
    const twoSteps: Call = async () => {
      const first = firstAnswer('id');
      await new Promise((resolve) => setImmediate(resolve));
      return { ...first, followUpMs: 5_000 };
    };
    const { latenciesMs, followUpsMs } = await runLoad(
      { kind: 'counted', concurrency: 1, count: 1 },
      twoSteps,
    );
    expect(followUpsMs).toEqual([5_000]);
    expect(latenciesMs[0]).toBeLessThan(5_000);
  });

  it('stops at the first failed call', async () => {
    const failing: Call = () => Promise.reject(new Error('declined'));
    await expect(runLoad({ kind: 'counted', concurrency: 2, count: 4 }, failing)).rejects.toThrow('declined');
  });
});

const ID = '01890000-0000-7000-8000-000000000001';

function payment(change: Partial<RecordedPayment> = {}): RecordedPayment {
  return {
    transactionId: ID,
    status: 'approved',
    amountCents: 500,
    capturedCents: 500,
    refundedCents: 0,
    ...change,
  };
}

function charged(chargeId: string, transactionId = ID): LedgerEntry[] {
  const common = {
    gateway: 'gateway_1',
    reference: `${transactionId}-1`,
    charge_id: chargeId,
    amount: 500,
    created_at: '',
  } as const;
  return [
    { ...common, id: `${chargeId}/1`, kind: 'authorized', debit: 'customer', credit: 'held' },
    { ...common, id: `${chargeId}/2`, kind: 'captured', debit: 'held', credit: 'merchant' },
  ];
}

describe('the reconciliation of a benchmark', () => {
  it('accepts payments that were charged once', () => {
    expect(compareWithLedger('database', [payment()], charged('ch_1'))).toEqual([]);
    expect(verifyApproved([ID], [payment()], charged('ch_1'))).toEqual([]);
  });

  it.each([
    [
      'a payment charged twice',
      [payment()],
      [...charged('ch_1'), ...charged('ch_2')],
      'charges hold or captured money',
    ],
    ['an approved payment without a capture', [payment()], [], 'captured 0'],
    [
      'a capture of a failed payment',
      [payment({ status: 'failed', capturedCents: 0 })],
      charged('ch_1'),
      'failed',
    ],
    ['a capture of an unknown payment', [], charged('ch_1'), 'not in the database'],
  ])('reports %s', (_, payments, entries, violation) => {
    expect(compareWithLedger('database', payments, entries).join('\n')).toContain(violation);
  });

  it('expects one processed callback for each paid pix and each capture', () => {
    expect(callbackViolations(2, { stored: 2, unprocessed: 0 })).toEqual([]);
    expect(callbackViolations(2, { stored: 1, unprocessed: 0 })).toEqual([
      '1 callbacks for 2 paid pix and captures',
    ]);
    expect(callbackViolations(2, { stored: 2, unprocessed: 1 })).toEqual(['1 callbacks are not processed']);
  });

  it('reports an acknowledged payment that is not in the database, and a payment without an acknowledgement', () => {
    expect(verifyApproved([ID], [], []).join('\n')).toContain('acknowledged, not approved');
    expect(verifyApproved([], [payment()], charged('ch_1')).join('\n')).toContain('than were acknowledged');
  });
});

const STEADY = { kind: 'open', perSecond: STEADY_PER_SECOND, forMs: 1_000 } as const;

function measured(
  subject: SubjectName,
  load: Measurement['load'],
  cpuMs: number,
  perSecond: number,
  { round, neighbours = 0, followUp = null }: Pick<Measurement, 'round'> & Partial<Measurement>,
): Measurement {
  const cpu = { api: cpuMs / 4, worker: (3 * cpuMs) / 4, load: cpuMs, 'baseline service': cpuMs };
  const latencies = { p50Ms: 20, p95Ms: 30, p99Ms: 40 };
  return { subject, load, round, payments: 100, perSecond, ...latencies, followUp, cpuMs: cpu, neighbours };
}

/** The card payment uses 1.5 times the CPU of T and has half its throughput. A pix uses three times the CPU of T. */
const MEASUREMENTS = [10, 12].flatMap((cpuMs, round) => [
  ...CONCURRENCIES.flatMap((concurrency) => {
    const load = { kind: 'closed', concurrency, forMs: 1_000 } as const;
    return [
      measured('card', load, 1.5 * cpuMs, concurrency, { round }),
      measured('T', load, cpuMs, 2 * concurrency, { round }),
      measured('F', load, 1, 10 * concurrency, { round }),
      measured('pix', load, 3 * cpuMs, concurrency / 2, { round }),
      measured('capture', load, 2 * cpuMs, concurrency / 2, { round }),
    ];
  }),
  ...(['card', 'T', 'F'] as const).map((subject) =>
    measured(subject, STEADY, cpuMs, STEADY_PER_SECOND, { round }),
  ),
  measured('card', { kind: 'open', perSecond: 44.8, forMs: 1_000 }, cpuMs, 44.8, { round }),
  measured('pix', STEADY, cpuMs, STEADY_PER_SECOND, {
    round,
    followUp: { p50Ms: 4 * cpuMs, p95Ms: 60 },
  }),
  measured('capture', STEADY, cpuMs, STEADY_PER_SECOND, { round, followUp: { p50Ms: 25, p95Ms: 35 } }),
]);

describe('the benchmark report', () => {
  const results: BenchResults = {
    commit: 'abc',
    machine: 'a machine',
    temporal: 'a server',
    postgres: 'a database',
    quick: false,
    elapsedSeconds: 60,
    measurements: MEASUREMENTS,
    historyEvents: { card: 14, pix: 22, capture: 24.5, T: 11 },
    writes: {
      card: { statements: 17.8, commits: 5.1 },
      pix: { statements: 30, commits: 8.2 },
      capture: { statements: 31, commits: 9.3 },
    },
    payments: 600,
    violations: [],
  };

  it('compares measurements of the same round', () => {
    const summary = new Summary(results);
    expect(summary.cpuRatio('card', 16)).toEqual({ median: 1.5, min: 1.5, max: 1.5 });
    expect(summary.rateRatio('F', 16).median).toBeCloseTo(0.1);
    expect(summary.peakPerSecond('card')).toBe(64);
    expect(summary.open('card', 'loaded')).toHaveLength(2);
  });

  it('shows every kind of payment, with the CPU of each process as a fraction of T', () => {
    const { card, pix, capture } = kindsFigures(results);
    expect([card, pix, capture].map(({ cpuOfT }) => cpuOfT.all.median)).toEqual([1.5, 3, 2]);
    expect([pix.cpuOfT.api.median, pix.cpuOfT.worker.median]).toEqual([0.75, 2.25]);
    expect(card.followUp).toBeNull();
    expect(pix.followUp?.p50Ms).toEqual({ median: 44, min: 40, max: 48 });
    const report = renderReport(results);
    expect(report).toMatch(/second step, p50 ms at 10\/s +44\.0 \(40\.0 to 48\.0\) +25\.0 \(/);
    expect(report).toMatch(/Postgres commits +5\.10 +8\.20 +9\.30/);
  });

  it('leaves a marked round out for all subjects, in the ratios as well', () => {
    const load = { kind: 'closed', concurrency: 16, forMs: 1_000 } as const;
    const rounds = [0, 1, 2].flatMap((round) => [
      measured('card', load, round === 1 ? 90 : 15, 20, { round }),
      measured('T', load, 10, 40, { round, neighbours: round === 1 ? 0.3 : 0.05 }),
    ]);
    const summary = new Summary({ measurements: rounds });
    expect(summary.closed('card', 16).map(({ round }) => round)).toEqual([0, 2]);
    expect(summary.cpuRatio('card', 16)).toEqual({ median: 1.5, min: 1.5, max: 1.5 });
    expect(renderReport({ ...results, measurements: MEASUREMENTS })).toContain(
      'Rounds of c=16: Other processes took 0% of the machine at most.',
    );
  });

  it('compares the latency at the steady rate with that of T in the same round', () => {
    expect(new Summary(results).steadyP50ToT().median).toBe(1);
    expect(renderReport(results)).toContain('All 600 acknowledged payments');
  });

  it('shows reconciliation differences first', () => {
    expect(renderReport({ ...results, violations: ['x: charged twice'] })).toContain('1 DIFFERENCES');
  });

  it('aligns the columns of a table', () => {
    expect(
      table([
        ['head', 'n'],
        ['a', '100'],
      ]),
    ).toEqual(['head    n', '---------', 'a     100']);
  });
});

describe('the memory evaluation', () => {
  const samples = (mib: (payments: number) => number): MemorySample[] =>
    Array.from({ length: 41 }, (_, index) => ({ payments: index * 250, mib: { api: mib(index * 250) } }));
  const limit = { process: 'api', belowMib: 200 };

  it('accepts memory that rises and falls within the limit', () => {
    expect(
      evaluateMemory(
        limit,
        samples((payments) => 150 + (payments % 750) / 100),
      ),
    ).toMatchObject({ ok: true });
  });

  it('rejects a peak above the limit, and growth in the second half', () => {
    const peak = samples((payments) => (payments === 1_000 ? 210 : 150));
    const leak = samples((payments) => 100 + payments / 200);
    expect([evaluateMemory(limit, peak).ok, evaluateMemory(limit, leak).ok]).toEqual([false, false]);
    expect(renderMemory(peak, [evaluateMemory(limit, peak)])).toContain('EXCEEDED');
  });
});
