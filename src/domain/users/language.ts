/** The languages of mails and pages, the default first. */
export const LANGUAGES = ['en', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first language of an `Accept-Language` header that there are texts in, by its weights; the default without one. */
export function preferredLanguage(acceptLanguage: string | null): Language {
  const accepted = (acceptLanguage ?? '')
    .split(',')
    .slice(0, 20)
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return { tag: tag.split('-')[0], weight: Number(weight ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  for (const { tag } of accepted) {
    const found = LANGUAGES.find((language) => language === tag);
    if (found !== undefined) return found;
  }
  return LANGUAGES[0];
}
