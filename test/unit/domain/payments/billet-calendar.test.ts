import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  billetExpiresAt,
  defaultDueDate,
  dueDateProblem,
  isBankDay,
} from '../../../../src/domain/payments/billet-calendar';

const ZONE = 'America/Sao_Paulo';

/** The weekdays on which banks are closed, as FEBRABAN publishes them. */
const CLOSED_WEEKDAYS: Readonly<Record<number, string>> = {
  2025: '01-01 03-03 03-04 04-18 04-21 05-01 06-19 11-20 12-25 12-31',
  2026: '01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-20 12-25 12-31',
  2027: '01-01 02-08 02-09 03-26 04-21 05-27 09-07 10-12 11-02 11-15 12-31',
  2028: '02-28 02-29 04-14 04-21 05-01 06-15 09-07 10-12 11-02 11-15 11-20 12-25',
};

function daysOf(year: number): DateTime[] {
  const first = DateTime.fromObject({ year, month: 1, day: 1 }, { zone: ZONE });
  return Array.from({ length: first.daysInYear }, (_, index) => first.plus({ days: index }));
}

/** A boleto that is due while banks are closed can be paid on the next business day. */
function payableUntil(dueAt: string): string {
  const nextDay = DateTime.fromISO(dueAt, { zone: 'utc' }).plus({ days: 1 });
  return isBankDay(dueAt) ? dueAt : payableUntil(isoDate(nextDay));
}

const isoDate = (date: DateTime): string => date.toFormat('yyyy-MM-dd');
const daysBetween = (from: string, to: string): number =>
  DateTime.fromISO(to, { zone: 'utc' }).diff(DateTime.fromISO(from, { zone: 'utc' }), 'days').days;

describe('bank business days', () => {
  it.each([2025, 2026, 2027, 2028])('the business days of %i exclude weekends and bank holidays', (year) => {
    const closed = daysOf(year).filter((date) => payableUntil(isoDate(date)) !== isoDate(date));
    const weekdays = closed.filter((date) => date.weekday <= 5).map((date) => date.toFormat('MM-dd'));
    expect(weekdays.join(' ')).toBe(CLOSED_WEEKDAYS[year]);
    expect(closed.filter((date) => date.weekday > 5)).toHaveLength(
      daysOf(year).filter((date) => date.weekday > 5).length,
    );
  });

  it.each([
    ['2026-02-14', '2026-02-18'],
    ['2026-12-31', '2027-01-04'],
    ['2027-03-26', '2027-03-29'],
    ['2026-06-09', '2026-06-09'],
  ])('a boleto due on %s is payable until %s', (dueAt, until) => {
    expect(payableUntil(dueAt)).toBe(until);
  });
});

describe('the default due date', () => {
  it.each([
    ['on an ordinary Monday', '2026-06-08T15:00:00Z', '2026-06-11'],
    ['on the evening that is already the next day in UTC', '2026-06-09T02:59:59Z', '2026-06-11'],
    ['at midnight in Brasília', '2026-06-09T03:00:00Z', '2026-06-12'],
    ['on the Friday before Carnival', '2026-02-13T15:00:00Z', '2026-02-20'],
    ['on a Saturday', '2026-06-13T15:00:00Z', '2026-06-17'],
    ['before the end of the year', '2026-12-29T15:00:00Z', '2027-01-05'],
  ])('the default due date is three business days later %s', (_, now, dueAt) => {
    expect(defaultDueDate(new Date(now), 3)).toBe(dueAt);
  });

  it.each([
    [1, '2026-12-30'],
    [30, '2027-02-15'],
  ])('the default due date is the configured %i business days later', (days, dueAt) => {
    expect(defaultDueDate(new Date('2026-12-29T15:00:00Z'), days)).toBe(dueAt);
  });
});

describe('boleto expiry', () => {
  it.each([
    ['2026-06-08', '2026-06-12T03:00:00.000Z'],
    ['2026-06-12', '2026-06-18T03:00:00.000Z'],
    ['2026-06-13', '2026-06-18T03:00:00.000Z'],
    ['2026-02-13', '2026-02-21T03:00:00.000Z'],
    ['2026-12-30', '2027-01-07T03:00:00.000Z'],
  ])(
    'a boleto due on %s expires at the end of the third business day in Brasília, %s',
    (dueAt, expiresAt) => {
      expect(billetExpiresAt(dueAt).toISOString()).toBe(expiresAt);
    },
  );
});

describe('a requested due date', () => {
  const now = new Date('2026-06-09T02:00:00Z');

  it.each(['2026-06-08', '2026-06-09', '2026-06-13', '2049-10-13'])(
    'a due date of %s is accepted',
    (dueAt) => {
      expect(dueDateProblem(dueAt, now)).toBeNull();
    },
  );

  it.each([
    ['2026-06-07', 'must not be before today in Brasília, 2026-06-08'],
    ['2049-10-14', 'must not be after 2049-10-13'],
    ['2026-02-30', 'must be a date, YYYY-MM-DD'],
    ['2026-W24', 'must be a date, YYYY-MM-DD'],
    ['2026-06-10T10:00:00Z', 'must be a date, YYYY-MM-DD'],
    ['', 'must be a date, YYYY-MM-DD'],
  ])('a due date of %s is rejected', (dueAt, problem) => {
    expect(dueDateProblem(dueAt, now)).toBe(problem);
  });
});

describe('every date that a barcode can encode', () => {
  const anyInstant = fc.date({
    min: new Date('2025-02-22'),
    max: new Date('2049-09-01'),
    noInvalidDate: true,
  });

  it('a boleto is payable before it expires, and expires within nine days', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const today = isoDate(DateTime.fromJSDate(instant, { zone: ZONE }));
        const until = payableUntil(today);
        expect(daysBetween(today, until)).toBeGreaterThanOrEqual(0);
        expect(daysBetween(today, until)).toBeLessThanOrEqual(4);
        expect(payableUntil(until)).toBe(until);

        const dueAt = defaultDueDate(instant, 3);
        expect(payableUntil(dueAt)).toBe(dueAt);
        expect(dueDateProblem(dueAt, instant)).toBeNull();
        expect(daysBetween(today, dueAt)).toBeGreaterThanOrEqual(3);
        expect(daysBetween(today, dueAt)).toBeLessThanOrEqual(9);

        const expiry = DateTime.fromJSDate(billetExpiresAt(today), { zone: ZONE });
        const lastDay = isoDate(expiry.minus({ milliseconds: 1 }));
        expect(expiry.toFormat('HH:mm:ss.SSS')).toBe('00:00:00.000');
        expect(payableUntil(lastDay)).toBe(lastDay);
        expect(daysBetween(until, lastDay)).toBeGreaterThanOrEqual(2);
        expect(daysBetween(today, lastDay)).toBeLessThanOrEqual(9);
      }),
      { numRuns: 200 },
    );
  });

  it('a later creation never makes the due date, last payable day or expiry earlier', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const today = DateTime.fromJSDate(instant, { zone: ZONE });
        const tomorrow = today.plus({ days: 1 });
        expect(payableUntil(isoDate(today)) <= payableUntil(isoDate(tomorrow))).toBe(true);
        expect(defaultDueDate(instant, 3) <= defaultDueDate(tomorrow.toJSDate(), 3)).toBe(true);
        expect(billetExpiresAt(isoDate(today)) <= billetExpiresAt(isoDate(tomorrow))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

/** Three years of the calendar as text. The code runs in one process per time zone. */
const CALENDAR = `
  const { isBankDay, billetExpiresAt, defaultDueDate } = require('./src/domain/payments/billet-calendar');
  const lines = [];
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2029, 0, 1); at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10);
    lines.push([date, isBankDay(date), billetExpiresAt(date).toISOString(), defaultDueDate(new Date(at), 3)].join(' '));
  }
  process.stdout.write(lines.join('\\n'));
`;

it('the calendar is the same in every time zone of the process', async () => {
  // The zones furthest ahead and behind, and one whose clocks change at midnight.
  const zones = ['Pacific/Kiritimati', 'Pacific/Midway', 'America/Santiago'];
  const calendars = await Promise.all(
    zones.map(async (TZ) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '-e', CALENDAR], {
        env: { TZ },
      });
      expect(stdout.split('\n')).toHaveLength(1096);
      return createHash('sha256').update(stdout).digest('hex');
    }),
  );
  expect(new Set(calendars).size).toBe(1);
});
