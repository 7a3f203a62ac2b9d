import { figureLines, FIGURES } from '../../bench/figures/figures';
import { ownerOf, timesByOwner, type CpuProfile } from '../../bench/profile/owners';
import { recoveryMs } from '../../bench/recovery/recovery';
import { writesPerCall } from '../../bench/support/write-counter';

describe('the table of figures', () => {
  const row = (title: string, measured: Parameters<typeof figureLines>[0]): string =>
    figureLines(measured).find((line) => line.startsWith(title)) ?? '';

  it('says for each figure whether it reaches its goal or a solid value', () => {
    expect(row('CPU per card payment', { cpuPerPayment: 0.59 })).toMatch(/0\.590 +0\.95 +0\.6 +goal$/);
    expect(row('CPU per card payment', { cpuPerPayment: 0.95 })).toMatch(/solid$/);
    expect(row('CPU per card payment', { cpuPerPayment: 0.96 })).toMatch(/MISSED$/);
    expect(row('payments/s / T', { rateToT: 1.5 })).toMatch(/goal$/);
    expect(row('payments/s / T', { rateToT: 0.99 })).toMatch(/MISSED$/);
  });

  it('names the figures that were not measured', () => {
    const lines = figureLines({ commits: 4 });
    expect(lines.filter((line) => line.endsWith('not measured'))).toHaveLength(FIGURES.length - 1);
  });
});

describe('the recovery after a kill', () => {
  it('lasts until the last delayed payment is approved', () => {
    const payments = [
      { requestedAt: 900, approvedAt: 3_500 },
      { requestedAt: 1_200, approvedAt: 3_000 },
      // Not delayed by the kill: approved before it, or as fast as ever.
      { requestedAt: 0, approvedAt: 950 },
      { requestedAt: 5_000, approvedAt: 5_100 },
    ];
    expect(recoveryMs(1_000, payments)).toBe(2_500);
  });

  it('takes no time if no payment was delayed', () => {
    expect(recoveryMs(1_000, [{ requestedAt: 990, approvedAt: 1_090 }])).toBe(0);
  });
});

describe('the count of writes', () => {
  it('leaves out what the service writes in the same time without calls', () => {
    const idle = { statements: 100, commits: 20, elapsedMs: 5_000 };
    const counted = { statements: 2_000, commits: 540, elapsedMs: 10_000 };
    expect(writesPerCall(counted, idle, 100)).toEqual({ statements: 18, commits: 5 });
  });
});

describe('the owner of CPU time', () => {
  const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 1 });

  it('is a folder of the project, a package, Node.js or the engine', () => {
    expect(
      [
        frame('pay', 'file:///app/dist/src/persistence/sql/transaction.js'),
        frame('attempt', 'file:///app/dist/activities/payments/claim-attempt.js'),
        frame('encode', 'file:///app/node_modules/@temporalio/client/node_modules/protobufjs/src/writer.js'),
        frame('send', '/app/node_modules/@temporalio/client/lib/connection.js'),
        frame('emit', 'node:events'),
        frame('activate', '/app/dist/workflow-bundle-1.js'),
        frame('(garbage collector)'),
      ].map(ownerOf),
    ).toEqual([
      'src/persistence',
      'activities/payments',
      'protobufjs',
      '@temporalio/client',
      'Node.js',
      'workflow bundle',
      'garbage collection',
    ]);
  });

  it('does not have the time in which the process waited for a core', () => {
    const profile: CpuProfile = {
      startTime: 0,
      nodes: [{ id: 1, callFrame: frame('parse', '/app/node_modules/pg/lib/client.js') }],
      samples: [1, 1],
      timeDeltas: [1_000, 90_000],
    };
    expect([...timesByOwner(profile, { from: 0, to: 100_000 }).owners]).toEqual([['pg', 3_000]]);
  });

  it('of a function that is built in is its caller; idle time and time outside of the window do not count', () => {
    const profile: CpuProfile = {
      startTime: 1_000,
      nodes: [
        { id: 1, callFrame: frame('(root)'), children: [2, 4] },
        { id: 2, callFrame: frame('parse', '/app/node_modules/pg/lib/client.js'), children: [3] },
        { id: 3, callFrame: frame('toString') },
        { id: 4, callFrame: frame('(idle)') },
      ],
      samples: [2, 3, 4, 2],
      timeDeltas: [100, 200, 400, 1_000],
    };
    const { owners, functions } = timesByOwner(profile, { from: 1_000, to: 2_000 });
    expect([...owners]).toEqual([['pg', 300]]);
    expect([...functions]).toEqual([
      ['parse of pg', 100],
      ['toString of pg', 200],
    ]);
  });
});
