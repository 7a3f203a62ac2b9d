import { preferredLanguage } from '../../../../src/domain/users/language';

describe('the language of a browser', () => {
  it.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['PT', 'pt'],
    ['fr-FR, fr;q=0.9, pt;q=0.5, en;q=0.4', 'pt'],
    ['en;q=0.3, pt;q=0.9', 'pt'],
    ['pt;q=0, en', 'en'],
    ['de', 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['pt;q=nonsense', 'pt'],
    [null, 'en'],
  ])('that accepts %j is %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});
