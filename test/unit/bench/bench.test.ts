import { disagreements, verifyApproved, type BookedPayment } from '../../bench/support/reconciliation';
import { DEMO_KINDS, mixKinds } from '../../bench/demo/demo-payments';
import { kindsFigures } from '../../bench/payments/kinds';
import { runLoad, type Call } from '../../bench/support/load';
import { judgeMemory, renderMemory, type MemorySample } from '../../bench/payments/memory';
import type { Measurement, SubjectName } from '../../bench/payments/measure';
import { answered } from '../../bench/support/payment-calls';
import { renderReport } from '../../bench/payments/report';
import { percentile, spreadOf } from '../../bench/support/statistics';
import { CONCURRENCIES, STEADY_PER_SECOND, Summary, type BenchResults } from '../../bench/payments/summary';
import { table } from '../../bench/support/table';
import { callbackViolations } from '../../bench/support/verify';
import type { LedgerEntry } from '../../../src/simulator/ledger';

describe('percentiles', () => {
  it('are values of the sample, or between the two nearest', () => {
    expect(percentile([40, 10, 30, 20], 50)).toBe(25);
    expect(percentile([1, 2, 3, 4, 5], 99)).toBeCloseTo(4.96);
    expect(percentile([7], 95)).toBe(7);
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  });

  it('do not exist without values', () => {
    expect(() => percentile([], 50)).toThrow('no values');
  });
});

describe('a load', () => {
  const call: Call = () => Promise.resolve(answered('id'));

  it('of a number of calls makes exactly that many', async () => {
    const { ids, latenciesMs } = await runLoad({ kind: 'counted', concurrency: 4, count: 10 }, call);
    expect([ids.length, latenciesMs.length]).toEqual([10, 10]);
  });

  it('in an open loop goes out on schedule, and a slow answer counts from when its call was due', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let calls = 0;
    const held: Call = async () => {
      calls += 1;
      if (calls === 5) open?.();
      await gate;
      return answered('id');
    };
    const { latenciesMs } = await runLoad({ kind: 'open', perSecond: 100, forMs: 50 }, held);
    expect(calls).toBe(5);
    expect(latenciesMs[0]).toBeGreaterThanOrEqual(39);
  });

  it('tells the time until the first answer from that of the second step', async () => {
    const twoSteps: Call = async () => {
      const first = answered('id');
      await new Promise((resolve) => setImmediate(resolve));
      return { ...first, followUpMs: 70 };
    };
    const { latenciesMs, followUpsMs } = await runLoad(
      { kind: 'counted', concurrency: 1, count: 1 },
      twoSteps,
    );
    expect(followUpsMs).toEqual([70]);
    expect(latenciesMs[0]).toBeLessThan(70);
  });

  it('ends with the first wrong answer', async () => {
    const wrong: Call = () => Promise.reject(new Error('declined'));
    await expect(runLoad({ kind: 'counted', concurrency: 2, count: 4 }, wrong)).rejects.toThrow('declined');
  });
});

const ID = '01890000-0000-7000-8000-000000000001';

function payment(change: Partial<BookedPayment> = {}): BookedPayment {
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

describe('the books', () => {
  it('agree when each payment took its money once', () => {
    expect(disagreements('database', [payment()], charged('ch_1'))).toEqual([]);
    expect(verifyApproved([ID], [payment()], charged('ch_1'))).toEqual([]);
  });

  it.each([
    [
      'a payment charged twice',
      [payment()],
      [...charged('ch_1'), ...charged('ch_2')],
      'charges hold or took money',
    ],
    ['an approval without money', [payment()], [], 'captured 0'],
    [
      'money of a failed payment',
      [payment({ status: 'failed', capturedCents: 0 })],
      charged('ch_1'),
      'failed',
    ],
    ['money of a payment nobody knows', [], charged('ch_1'), 'not in the database'],
  ])('disagree about %s', (_, payments, entries, word) => {
    expect(disagreements('database', payments, entries).join('\n')).toContain(word);
  });

  it('want one callback for each paid pix and each capture, looked into', () => {
    expect(callbackViolations(2, { stored: 2, waiting: 0 })).toEqual([]);
    expect(callbackViolations(2, { stored: 1, waiting: 0 })).toEqual([
      '1 callbacks came of 2 paid pix and captures',
    ]);
    expect(callbackViolations(2, { stored: 2, waiting: 1 })).toEqual(['1 callbacks wait to be looked into']);
  });

  it('disagree with an acknowledgement that is not in the database, and with a payment nobody acknowledged', () => {
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
  followUp: Measurement['followUp'] = null,
): Measurement {
  const cpu = { api: cpuMs / 4, worker: (3 * cpuMs) / 4, load: cpuMs, floor: cpuMs };
  return { subject, load, payments: 100, perSecond, p50Ms: 20, p95Ms: 30, p99Ms: 40, followUp, cpuMs: cpu };
}

/** The card payment costs half as much again as T, and answers half as many calls. A pix costs three times as much as T. */
const MEASUREMENTS = [10, 12].flatMap((cpuMs) => [
  ...CONCURRENCIES.flatMap((concurrency) => {
    const load = { kind: 'closed', concurrency, forMs: 1_000 } as const;
    return [
      measured('card', load, 1.5 * cpuMs, concurrency),
      measured('T', load, cpuMs, 2 * concurrency),
      measured('F', load, 1, 10 * concurrency),
      measured('pix', load, 3 * cpuMs, concurrency / 2),
      measured('capture', load, 2 * cpuMs, concurrency / 2),
    ];
  }),
  ...(['card', 'T', 'F'] as const).map((subject) => measured(subject, STEADY, cpuMs, STEADY_PER_SECOND)),
  measured('card', { kind: 'open', perSecond: 44.8, forMs: 1_000 }, cpuMs, 44.8),
  measured('pix', STEADY, cpuMs, STEADY_PER_SECOND, { p50Ms: 4 * cpuMs, p95Ms: 60 }),
  measured('capture', STEADY, cpuMs, STEADY_PER_SECOND, { p50Ms: 25, p95Ms: 35 }),
]);

describe('the report', () => {
  const results: BenchResults = {
    commit: 'abc',
    machine: 'a machine',
    temporal: 'a server',
    postgres: 'a database',
    quick: false,
    elapsedSeconds: 60,
    measurements: MEASUREMENTS,
    historyEvents: { card: 14, pix: 22, capture: 24.5, T: 11 },
    commits: { card: 5.1, pix: 8.2, capture: 9.3 },
    payments: 600,
    violations: [],
  };

  it('compares rounds with rounds', () => {
    const summary = new Summary(results);
    expect(summary.cpuRatio('card', 16)).toEqual({ median: 1.5, min: 1.5, max: 1.5 });
    expect(summary.rateRatio('F', 16).median).toBeCloseTo(0.1);
    expect(summary.kneePerSecond('card')).toBe(64);
    expect(summary.open('card', 'loaded')).toHaveLength(2);
  });

  it('has every kind of payment beside the card payment, its processes as parts of T', () => {
    const { card, pix, capture } = kindsFigures(results);
    expect([card, pix, capture].map(({ cpuOfT }) => cpuOfT.all.median)).toEqual([1.5, 3, 2]);
    expect([pix.cpuOfT.api.median, pix.cpuOfT.worker.median]).toEqual([0.75, 2.25]);
    expect(card.followUp).toBeNull();
    expect(pix.followUp?.p50Ms).toEqual({ median: 44, min: 40, max: 48 });
    const report = renderReport(results);
    expect(report).toMatch(/second step, p50 ms at 10\/s +44\.0 \(40\.0 to 48\.0\) +25\.0 \(/);
    expect(report).toMatch(/Postgres commits +5\.10 +8\.20 +9\.30/);
  });

  it('says for each target whether it was reached, and for each column which of its lines hold', () => {
    const report = renderReport(results);
    expect(report).toMatch(/CPU per payment \/ T +1\.50 +1\.6 +0\.9 +solid/);
    expect(report).toMatch(/payments\/s \/ T, at the knees +0\.500 +0\.6 +1 +NO/);
    expect(report).toMatch(/p50 ms at 10\/s +20\.0 +60 +25 +goal/);
    expect(report).toContain('payments/s / F: 0.100 (64.0/s of 640/s)');
    expect(report).toContain('Solid: 6 of 7 lines hold, not: payments/s / T, at the knees');
    expect(report).toContain(
      'Goal: 3 of 6 lines hold, not: CPU per payment / T; payments/s / T, at the knees; payments/s / F, at the knees',
    );
    expect(report).toContain('All 600 acknowledged payments');
  });

  it('names disagreements first of all', () => {
    expect(renderReport({ ...results, violations: ['x: charged twice'] })).toContain('1 DISAGREEMENTS');
  });

  it('lines its columns up', () => {
    expect(
      table([
        ['head', 'n'],
        ['a', '100'],
      ]),
    ).toEqual(['head    n', '---------', 'a     100']);
  });
});

describe('memory', () => {
  const samples = (mib: (payments: number) => number): MemorySample[] =>
    Array.from({ length: 41 }, (_, index) => ({ payments: index * 250, mib: { api: mib(index * 250) } }));
  const limit = { process: 'api', belowMib: 200 };

  it('holds while it only rises and falls', () => {
    expect(
      judgeMemory(
        limit,
        samples((payments) => 150 + (payments % 750) / 100),
      ),
    ).toMatchObject({ ok: true });
  });

  it('is exceeded by a peak, and by growth in the second half', () => {
    const peak = samples((payments) => (payments === 1_000 ? 210 : 150));
    const leak = samples((payments) => 100 + payments / 200);
    expect([judgeMemory(limit, peak).ok, judgeMemory(limit, leak).ok]).toEqual([false, false]);
    expect(renderMemory(peak, [judgeMemory(limit, peak)])).toContain('EXCEEDED');
  });
});

describe('the demo', () => {
  it('makes 200 payments, the kinds evenly mixed', () => {
    const mixed = mixKinds(DEMO_KINDS);
    expect(mixed).toHaveLength(200);
    const half = mixed.slice(0, 100).filter(({ title }) => title === 'visa');
    expect(half).toHaveLength(30);
  });
});
