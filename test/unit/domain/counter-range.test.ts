import fc from 'fast-check';
import { coverInHours, coverRange } from '../../../src/domain/time/counter-range';
import { daysIn } from '../../../src/domain/time/day-range';

const at = (text: string): Date => new Date(text);
const summarize = (ranges: ReturnType<typeof coverRange>) =>
  ranges.map(
    ({ grain, from, to }) => `${grain} ${from.toISOString().slice(0, 16)} ${to.toISOString().slice(0, 16)}`,
  );

describe('coverRange', () => {
  it('a range is covered by whole months, with days and hours at both ends', () => {
    expect(
      summarize(coverRange({ from: at('2026-01-30T03:00:00Z'), to: at('2026-04-02T03:00:00Z') })),
    ).toEqual([
      'hour 2026-01-30T03:00 2026-01-31T00:00',
      'day 2026-01-31T00:00 2026-02-01T00:00',
      'month 2026-02-01T00:00 2026-04-01T00:00',
      'day 2026-04-01T00:00 2026-04-02T00:00',
      'hour 2026-04-02T00:00 2026-04-02T03:00',
    ]);
  });

  it('parts shorter than an hour are counted from the raw rows', () => {
    expect(
      summarize(coverRange({ from: at('2026-01-01T18:30:00Z'), to: at('2026-01-01T20:30:00Z') })),
    ).toEqual([
      'raw 2026-01-01T18:30 2026-01-01T19:00',
      'hour 2026-01-01T19:00 2026-01-01T20:00',
      'raw 2026-01-01T20:00 2026-01-01T20:30',
    ]);
  });

  const instants = fc.date({ min: at('2020-01-01'), max: at('2030-01-01'), noInvalidDate: true });

  it('every range is covered without gaps or overlaps in at most seven parts', () => {
    fc.assert(
      fc.property(instants, instants, (from, to) => {
        for (const cover of [coverRange({ from, to }), coverInHours({ from, to })]) {
          expect(cover.length).toBeLessThanOrEqual(7);
          if (from >= to) return expect(cover).toEqual([]);
          expect(cover[0]?.from).toEqual(from);
          expect(cover.at(-1)?.to).toEqual(to);
          cover.forEach((part, index) => {
            expect(part.from < part.to).toBe(true);
            if (index > 0) expect(part.from).toEqual(cover[index - 1]?.to);
          });
        }
      }),
    );
  });
});

describe('daysIn', () => {
  it('both days are included completely, in the time zone', () => {
    expect(daysIn('America/Sao_Paulo', '2026-03-10', '2026-03-10')).toEqual({
      from: at('2026-03-10T03:00:00Z'),
      to: at('2026-03-11T03:00:00Z'),
    });
  });

  it('a day without midnight starts at its first instant', () => {
    expect(daysIn('America/Sao_Paulo', '2018-11-04', '2018-11-04')).toEqual({
      from: at('2018-11-04T03:00:00Z'),
      to: at('2018-11-05T02:00:00Z'),
    });
  });

  it('without days the range is open, and no given day exceeds it', () => {
    const open = daysIn('UTC', undefined, undefined);
    expect(daysIn('UTC', '0000-01-01', '9999-12-31')).toEqual(open);
    expect(coverRange(open)).toHaveLength(1);
  });
});
