import { applyChange, changedFieldNames } from '../../../src/domain/shared/change';

const BEFORE: { name: string; note: string | null; count: number } = { name: 'Gold', note: 'new', count: 1 };

describe('applyChange and changedFieldNames', () => {
  it('a change sets the fields it names, including null, and keeps all others', () => {
    expect(applyChange(BEFORE, { name: 'Silver', note: null })).toEqual({
      name: 'Silver',
      note: null,
      count: 1,
    });
    expect(applyChange(BEFORE, { name: undefined })).toEqual(BEFORE);
  });

  it('changed fields are reported by their given names', () => {
    const names = { title: 'name', total: 'count' } as const;
    expect(changedFieldNames(names, BEFORE, { ...BEFORE, name: 'Silver', note: null })).toEqual(['title']);
    expect(changedFieldNames(names, BEFORE, { ...BEFORE })).toEqual([]);
  });
});
