import * as fc from 'fast-check';
import {
  DEFAULT_RETRY_SCHEDULE,
  hasFailedTooLong,
  nextPauseMs,
  parseRetryAfter,
  parseRetrySchedule,
} from '../../../src/domain/webhooks/retry-schedule';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date('2026-03-10T12:00:00Z');
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the retry schedule', () => {
  it('is by default the decided one', () => {
    expect(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE)).toEqual([
      5_000,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
    ]);
  });

  it('takes seconds without a unit, and may be empty', () => {
    expect(parseRetrySchedule('0.5, 1,2s')).toEqual([500, 1_000, 2_000]);
    expect(parseRetrySchedule(' ')).toEqual([]);
  });

  it.each(['5d', '-1', '1,,2', 'soon', '1e3'])('refuses %j', (text) => {
    expect(parseRetrySchedule(text)).toBeNull();
  });
});

describe('the pause after a failed attempt', () => {
  const schedules = fc.array(fc.integer({ min: 0, max: 48 * HOUR }), { maxLength: 12 });
  const asked = fc.option(fc.integer({ min: 0, max: 1_000 * HOUR }));

  it('is the scheduled one and at most a fifth more, unless the receiver asks for more', () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: 1, max: 15 }), random, (schedule, attempts, chance) => {
        const pause = nextPauseMs(schedule, { attempts, retryAfterMs: null, random: chance });
        const scheduled = schedule[attempts - 1];
        if (scheduled === undefined) return pause === null;
        return pause !== null && pause >= scheduled && pause <= Math.ceil(scheduled * 1.2);
      }),
    );
  });

  it('is never shorter than the receiver asked for, up to a day', () => {
    fc.assert(
      fc.property(schedules, asked, random, (schedule, retryAfterMs, chance) => {
        const pause = nextPauseMs(schedule, { attempts: 1, retryAfterMs, random: chance });
        const usual = nextPauseMs(schedule, { attempts: 1, retryAfterMs: null, random: chance });
        if (usual === null) return pause === null;
        return pause === Math.max(usual, Math.min(retryAfterMs ?? 0, 24 * HOUR));
      }),
    );
  });

  it('ends: a delivery has one attempt more than the schedule has pauses', () => {
    fc.assert(
      fc.property(schedules, asked, random, (schedule, retryAfterMs, chance) => {
        let attempts = 1;
        while (nextPauseMs(schedule, { attempts, retryAfterMs, random: chance }) !== null) attempts += 1;
        return attempts === schedule.length + 1;
      }),
    );
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Tue, 10 Mar 2026 12:01:00 GMT', MINUTE],
    ['Tue, 10 Mar 2026 11:00:00 GMT', 0],
  ])('of %s is understood', (header, pause) => {
    expect(parseRetryAfter(header, NOW)).toBe(pause);
  });

  it.each([null, '', '-5', 'soon', '1.5', '2026-03-10T12:01:00Z'])('of %j means nothing', (header) => {
    expect(parseRetryAfter(header, NOW)).toBeNull();
  });
});

describe('an endpoint that fails', () => {
  it.each([
    [null, false],
    [5 * 24 * HOUR - 1, false],
    [5 * 24 * HOUR, true],
  ])('for %s ms has failed too long: %s', (ms, expected) => {
    const since = ms === null ? null : new Date(NOW.getTime() - ms);
    expect(hasFailedTooLong(since, NOW)).toBe(expected);
  });
});
