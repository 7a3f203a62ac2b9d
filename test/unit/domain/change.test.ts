import { changed, differing } from '../../../src/domain/shared/change';

const BEFORE: { name: string; note: string | null; count: number } = { name: 'Gold', note: 'new', count: 1 };

describe('a change', () => {
  it('sets what it names, null too, and leaves everything else as it was', () => {
    expect(changed(BEFORE, { name: 'Silver', note: null })).toEqual({ name: 'Silver', note: null, count: 1 });
    expect(changed(BEFORE, { name: undefined })).toEqual(BEFORE);
  });

  it('is told by the names asked for, where it makes a difference', () => {
    const names = { title: 'name', total: 'count' } as const;
    expect(differing(names, BEFORE, { ...BEFORE, name: 'Silver', note: null })).toEqual(['title']);
    expect(differing(names, BEFORE, { ...BEFORE })).toEqual([]);
  });
});
