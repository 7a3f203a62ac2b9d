import type * as Luxon from 'luxon';
import type * as BillingCalendar from '../../../../src/domain/subscriptions/billing-calendar';
import type * as DayRange from '../../../../src/domain/time/day-range';
import type * as LocalTime from '../../../../src/domain/time/local-time';

/** New York repeats 01:00 to 02:00 on 1 November 2026, Havana 00:00 to 01:00. */
const STARTED_IN_SUMMER = Date.parse('2026-07-01T12:00:00Z');
const STARTED_IN_WINTER = Date.parse('2026-12-15T12:00:00Z');

const MONTHLY: BillingCalendar.BillingSchedule = {
  startsAt: new Date('2026-10-01T05:30:00Z'),
  interval: 'monthly',
  intervalCount: 1,
  billingDay: null,
  timezone: 'America/New_York',
};

type Modules = typeof LocalTime & typeof DayRange & typeof BillingCalendar;

/** Loads the modules as a process that started at an instant: Luxon then caches the zones' offsets of that instant. */
function modulesOfProcess(startedAt: number): Modules {
  let modules: Modules | undefined;
  jest.isolateModules(() => {
    const { Settings } = jest.requireActual<typeof Luxon>('luxon');
    Settings.now = () => startedAt;
    modules = {
      ...jest.requireActual<typeof LocalTime>('../../../../src/domain/time/local-time'),
      ...jest.requireActual<typeof DayRange>('../../../../src/domain/time/day-range'),
      ...jest.requireActual<typeof BillingCalendar>('../../../../src/domain/subscriptions/billing-calendar'),
    };
  });
  if (modules === undefined) throw new Error('the modules were not loaded');
  return modules;
}

describe.each([
  ['summer', STARTED_IN_SUMMER],
  ['winter', STARTED_IN_WINTER],
])('in a process that started in %s', (_season, startedAt) => {
  const { addDays, daysIn, instantOf, periodOf } = modulesOfProcess(startedAt);

  it('a local time that occurs twice is the first of both', () => {
    const local = { year: 2026, month: 11, day: 1, hour: 1, minute: 30 };
    expect(instantOf('America/New_York', local)).toEqual(new Date('2026-11-01T05:30:00Z'));
  });

  it('a local time that daylight saving skips is the next one that exists', () => {
    const local = { year: 2026, month: 3, day: 8, hour: 2, minute: 30 };
    expect(instantOf('America/New_York', local)).toEqual(new Date('2026-03-08T07:30:00Z'));
  });

  it('a billing date whose time occurs twice is the first of both', () => {
    expect(periodOf(MONTHLY, 1).end).toEqual(new Date('2026-11-01T05:30:00Z'));
    expect(addDays(new Date('2026-10-31T05:30:00Z'), 1, 'America/New_York')).toEqual(
      new Date('2026-11-01T05:30:00Z'),
    );
  });

  it('a day whose midnight occurs twice starts at the first midnight', () => {
    const { from } = daysIn('America/Havana', '2026-11-01', '2026-11-01');
    const { to } = daysIn('America/Havana', '2026-10-31', '2026-10-31');
    expect([from, to]).toEqual([new Date('2026-11-01T04:00:00Z'), new Date('2026-11-01T04:00:00Z')]);
  });
});
