import { nextRecheckAt } from '../../../../src/domain/payments/recheck-schedule';

const ABANDONED_AT = new Date('2026-03-02T12:00:00Z');
const MINUTE_MS = 60_000;

const minutesAfter = (minutes: number): Date => new Date(ABANDONED_AT.getTime() + minutes * MINUTE_MS);

it('an abandoned attempt is asked about again after 1 and 10 minutes, 1, 6 and 24 hours, and then no more', () => {
  const asked: number[] = [];
  for (
    let at = nextRecheckAt(ABANDONED_AT, null);
    at !== null && asked.length < 10;
    at = nextRecheckAt(ABANDONED_AT, at)
  ) {
    asked.push((at.getTime() - ABANDONED_AT.getTime()) / MINUTE_MS);
  }
  expect(asked).toEqual([1, 10, 60, 360, 1_440]);
});

it('an inquiry between two of these instants does not count as one of them', () => {
  expect(nextRecheckAt(ABANDONED_AT, minutesAfter(-5))).toEqual(minutesAfter(1));
  expect(nextRecheckAt(ABANDONED_AT, minutesAfter(9))).toEqual(minutesAfter(10));
});
