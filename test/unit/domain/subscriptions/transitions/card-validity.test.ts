import { endOfExpiryMonth, isValidForMonths } from '../../../../../src/domain/subscriptions/card-validity';
import { addDays } from '../../../../../src/domain/subscriptions/billing-calendar';

const ZONE = 'America/Sao_Paulo';

describe('a card', () => {
  it.each([
    [4, 2026, '2026-05-01T03:00:00Z'],
    [12, 2026, '2027-01-01T03:00:00Z'],
  ])('that expires %d/%d is valid through the last day of that month where the company is', (...row) => {
    const [expireMonth, expireYear, end] = row;
    expect(endOfExpiryMonth({ expireMonth, expireYear }, ZONE)).toEqual(new Date(end));
  });

  it.each([
    ['2026-04-01T03:00:00Z', 1, true],
    ['2026-04-01T03:00:01Z', 1, false],
    ['2026-02-28T22:00:00Z', 2, true],
    ['2026-03-01T03:00:01Z', 2, false],
    // In São Paulo this is still 31 March, and 30 April is a month later.
    ['2026-04-01T02:00:00Z', 1, true],
    ['2026-05-01T03:00:01Z', 0, false],
  ])('that expires 04/2026 lasts from %s for %d months: %s', (from, months, expected) => {
    const card = { expireMonth: 4, expireYear: 2026 };
    expect(isValidForMonths(card, months, new Date(from), ZONE)).toBe(expected);
  });
});

it('months are counted where the company is, which may be in the next one already', () => {
  const card = { expireMonth: 3, expireYear: 2026 };
  const march = new Date('2026-02-28T15:00:00Z');
  expect(isValidForMonths(card, 1, march, 'Asia/Tokyo')).toBe(true);
  expect(isValidForMonths(card, 1, new Date(+march + 1), 'Asia/Tokyo')).toBe(false);
});

it('days are added to the date where the company is, which may be another one in UTC', () => {
  const lateEvening = new Date('2026-03-11T01:00:00Z');
  expect(addDays(lateEvening, 1, ZONE)).toEqual(new Date('2026-03-12T01:00:00Z'));
  const spring = new Date('2026-03-08T04:30:00Z');
  expect(addDays(spring, 1, 'America/New_York')).toEqual(new Date('2026-03-09T03:30:00Z'));
});
