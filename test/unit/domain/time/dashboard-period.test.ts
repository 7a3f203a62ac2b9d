import { dashboardDays } from '../../../../src/domain/time/dashboard-period';

const NOW = new Date('2026-03-31T12:00:00Z');
const load = (requested: { from?: string; to?: string }) =>
  dashboardDays(requested, 'America/Sao_Paulo', NOW);

it.each([
  [{ to: '0000-01-01' }, 'to'],
  [{ from: '0001-01-01', to: '0001-02-01' }, 'from'],
  [{ from: '1969-12-31', to: '1970-02-01' }, 'from'],
])('the days %j before 1970 are refused, whatever luxon makes of the year', async (requested, field) => {
  const loading = Promise.resolve(requested).then(load);
  await expect(loading).rejects.toMatchObject({ fields: { [field]: ['must be in 1970 or later'] } });
});

it('without a first day the dashboard shows the 30 days up to the last one', () => {
  const days = load({ to: '9999-12-31' });
  expect([days.length, days[0]?.date, days[29]?.date]).toEqual([30, '9999-12-02', '9999-12-31']);
});
