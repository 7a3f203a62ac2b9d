import { ExportSlots } from '../../../src/application/exports/export-slots';
import { pagesAfter } from '../../../src/application/exports/export-pages';

it('a company runs a bounded number of exports at a time, and all companies together too', () => {
  const slots = new ExportSlots({ perCompany: 2, total: 3 });
  const release = slots.acquire(1);
  slots.acquire(1);
  expect(() => slots.acquire(1)).toThrow('Too many exports');
  slots.acquire(2);
  expect(() => slots.acquire(3)).toThrow('Too many exports');
  release();
  slots.acquire(3);
});

it('a walk in which few rows pass the filter gives its reader a turn after each step', async () => {
  const steps = [
    { ids: [], last: { at: 'a', id: 9 } },
    { ids: [5], last: { at: 'b', id: 4 } },
    { ids: [], last: null },
  ];
  const asked: unknown[] = [];
  const pages = pagesAfter<number, string>(
    null,
    (after) => {
      asked.push(after);
      return Promise.resolve(steps[asked.length - 1] ?? { ids: [], last: null });
    },
    (ids) => Promise.resolve(ids.map(String)),
  );
  const seen: (readonly string[])[] = [];
  for await (const page of pages) seen.push(page);
  expect(seen).toEqual([[], ['5'], []]);
  expect(asked).toEqual([null, { at: 'a', id: 9 }, { at: 'b', id: 4 }]);
});
