import fc from 'fast-check';
import {
  isNameFound,
  nameBeginnings,
  nameWords,
  searchedBeginnings,
} from '../../../../src/domain/search/name-words';

describe('the words of a name', () => {
  it('are in lower case, without accents, and of at least two letters', () => {
    expect(nameWords('João  Antônio D’Ávila e Silva')).toEqual(['joao', 'antonio', 'avila', 'silva']);
    expect(nameWords('Li Xu')).toEqual(['li', 'xu']);
    expect(nameWords('ﬁona')).toEqual(['fiona']);
    expect(nameWords('123 4')).toEqual([]);
  });

  it('are found by their beginnings of three to ten letters', () => {
    expect(nameBeginnings('Ana Li')).toEqual(['ana', 'li']);
    expect(nameBeginnings('Wenceslauense')).toEqual([
      ...['wen', 'wenc', 'wence', 'wences', 'wencesl', 'wencesla', 'wenceslau', 'wenceslaue'],
    ]);
  });

  it('are bounded, however long the name is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (name) => {
        expect(nameBeginnings(name).length).toBeLessThanOrEqual(64);
      }),
    );
  });
});

describe('a search for a name', () => {
  it('has the longest beginnings first, and none if the text is no name', () => {
    expect(searchedBeginnings('ana wenceslauense')).toEqual(['wenceslaue', 'ana']);
    expect(searchedBeginnings('order 12')).toEqual([]);
    expect(searchedBeginnings('maria@example.com')).toEqual([]);
    expect(searchedBeginnings('x')).toEqual([]);
  });

  it('finds names whose words begin so, in any order and case, with or without accents', () => {
    expect(isNameFound('Maria José de Souza', 'souza JOSE')).toBe(true);
    expect(isNameFound('Wenceslauense', 'wenceslauen')).toBe(true);
    expect(isNameFound('Wenceslaueta', 'wenceslauen')).toBe(false);
    expect(isNameFound('Maria Souza', 'maria silva')).toBe(false);
  });

  it('finds every name by the first letters of any of its first words', () => {
    const word = fc.stringMatching(/^[a-zãéíç]{3,15}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.nat(),
        (words, which, length) => {
          const name = words.join(' ');
          const chosen = words[which % words.length] ?? '';
          const text = chosen.slice(0, 3 + (length % 12));
          const stored = nameBeginnings(name);
          expect(searchedBeginnings(text).every((beginning) => stored.includes(beginning))).toBe(true);
          expect(isNameFound(name, text)).toBe(true);
        },
      ),
    );
  });
});
