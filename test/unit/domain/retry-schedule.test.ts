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
  it('the default schedule has the documented delays', () => {
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

  it('a number without a unit is in seconds, and the schedule may be empty', () => {
    expect(parseRetrySchedule('0.5, 1,2s')).toEqual([500, 1_000, 2_000]);
    expect(parseRetrySchedule(' ')).toEqual([]);
  });

  it.each(['5d', '-1', '1,,2', 'soon', '1e3'])('the schedule %j is rejected', (text) => {
    expect(parseRetrySchedule(text)).toBeNull();
  });
});

describe('the delay after a failed attempt', () => {
  const schedules = fc.array(fc.integer({ min: 0, max: 48 * HOUR }), { maxLength: 12 });
  const retryAfter = fc.option(fc.integer({ min: 0, max: 1_000 * HOUR }));

  it('the delay is the scheduled one plus at most a fifth', () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: 1, max: 15 }), random, (schedule, attempts, chance) => {
        const pause = nextPauseMs(schedule, { attempts, retryAfterMs: null, random: chance });
        const scheduled = schedule[attempts - 1];
        if (scheduled === undefined) return pause === null;
        return pause !== null && pause >= scheduled && pause <= Math.ceil(scheduled * 1.2);
      }),
    );
  });

  it('the delay is at least the Retry-After of the receiver, up to one day', () => {
    fc.assert(
      fc.property(schedules, retryAfter, random, (schedule, retryAfterMs, chance) => {
        const pause = nextPauseMs(schedule, { attempts: 1, retryAfterMs, random: chance });
        const usual = nextPauseMs(schedule, { attempts: 1, retryAfterMs: null, random: chance });
        if (usual === null) return pause === null;
        return pause === Math.max(usual, Math.min(retryAfterMs ?? 0, 24 * HOUR));
      }),
    );
  });

  it('a delivery has one attempt more than the schedule has delays', () => {
    fc.assert(
      fc.property(schedules, retryAfter, random, (schedule, retryAfterMs, chance) => {
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
  ])('the header %s is parsed', (header, pause) => {
    expect(parseRetryAfter(header, NOW)).toBe(pause);
  });

  it.each([null, '', '-5', 'soon', '1.5', '2026-03-10T12:01:00Z'])('the header %j is ignored', (header) => {
    expect(parseRetryAfter(header, NOW)).toBeNull();
  });
});

describe('hasFailedTooLong', () => {
  it.each([
    [null, false],
    [5 * 24 * HOUR - 1, false],
    [5 * 24 * HOUR, true],
  ])('an endpoint that has failed for %s ms has failed too long: %s', (ms, expected) => {
    const since = ms === null ? null : new Date(NOW.getTime() - ms);
    expect(hasFailedTooLong(since, NOW)).toBe(expected);
  });
});
