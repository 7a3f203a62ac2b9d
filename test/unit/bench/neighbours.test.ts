import {
  describeNeighbours,
  neighboursShare,
  usable,
  usableRounds,
  usedCpuMs,
  waitForQuietMinute,
  type Machine,
} from '../../bench/support/neighbours';

const CORES = 2;

/** A machine on which other processes take this share of each 5 s, and the last one from then on. */
function machineWith(shares: readonly number[]): Machine & { readonly waitedMs: () => number } {
  let at = 0;
  let othersMs = 0;
  let ownMs = 500;
  return {
    cores: CORES,
    read: () => ({ at, usedMs: othersMs + ownMs, ownMs }),
    wait: (ms) => {
      othersMs += ms * CORES * (shares[Math.min(at / 5_000, shares.length - 1)] ?? 0);
      ownMs += 300;
      at += ms;
      return Promise.resolve();
    },
    waitedMs: () => at,
  };
}

describe('the CPU of other processes', () => {
  it('is what the machine used without the processes of the benchmark, as a share of all cores', () => {
    const before = { at: 1_000, usedMs: 50_000, ownMs: 700 };
    const after = { at: 3_000, usedMs: 52_000, ownMs: 1_500 };
    expect(neighboursShare(before, after, CORES)).toBeCloseTo(0.3);
  });

  it('is never negative, because the counters of processes and machine are read one after the other', () => {
    const before = { at: 0, usedMs: 0, ownMs: 0 };
    expect(neighboursShare(before, { at: 100, usedMs: 90, ownMs: 100 }, CORES)).toBe(0);
  });

  it('counts every state of a core but idle and waiting for a disk', () => {
    expect(usedCpuMs('cpu  10 20 30 1000 500 1 2 3 0 0\ncpu0 5 5 5 5 5 5 5 5 0 0\n')).toBe(660);
  });
});

describe('the wait for a quiet minute', () => {
  const run = async (shares: readonly number[], quick = false) => {
    const lines: string[] = [];
    const machine = machineWith(shares);
    await waitForQuietMinute((line) => lines.push(line), { quick, machine });
    return { lines, waitedMs: machine.waitedMs() };
  };

  it('ends after a minute on a quiet machine', async () => {
    const { lines, waitedMs } = await run([0.02]);
    expect(waitedMs).toBe(60_000);
    expect(lines).toEqual(['Other processes took 2% of the machine; waiting for a quiet minute ...']);
  });

  it('goes on until the neighbours have been quiet for a whole minute', async () => {
    const { waitedMs } = await run([0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0]);
    expect(waitedMs).toBeGreaterThan(60_000);
    expect(waitedMs).toBeLessThanOrEqual(90_000);
  });

  it('ends after five minutes and says that the machine was not quiet', async () => {
    const { lines, waitedMs } = await run([0.5]);
    expect(waitedMs).toBe(300_000);
    expect(lines.at(-1)).toContain('50% of the machine in the last minute; no quiet minute came in five');
  });

  it('takes five seconds in a quick run, which only says how busy the machine is', async () => {
    expect(await run([0.5], true)).toEqual({
      lines: ['Other processes took 50% of the machine.'],
      waitedMs: 5_000,
    });
  });
});

describe('the rounds of a benchmark', () => {
  it('are left out of the medians if other processes took more than a tenth of the machine', () => {
    expect(usableRounds([0.02, 0.3, 0.1, 0.11, 0.05])).toEqual([0, 2, 4]);
    expect(usable([{ neighbours: 0.5 }, { neighbours: 0.01 }])).toEqual([{ neighbours: 0.01 }]);
  });

  it('are all used if less than half of them would be left', () => {
    expect(usableRounds([0.02, 0.3, 0.2, 0.11, 0.05])).toEqual([0, 1, 2, 3, 4]);
  });

  it('are described with the number of marked ones and whether these were used', () => {
    expect(describeNeighbours([0.02, 0.3, 0.05])).toBe(
      'Other processes took 30% of the machine at most; 1 of 3 rounds are marked (left out of the medians).',
    );
    expect(describeNeighbours([0.2, 0.3])).toContain('(used, too few are quiet)');
    expect(describeNeighbours([0.02])).toBe('Other processes took 2% of the machine at most.');
  });
});
