export type Language = 'en' | 'pt';

/** Of the languages that the browser asks for, the first that is spoken here. */
function chooseLocale(wanted: readonly string[]): string {
  return wanted.find((tag) => /^(?:en|pt)\b/i.test(tag)) ?? 'en';
}

/** Also tells how numbers and dates are written. */
export const locale = chooseLocale(navigator.languages);
export const language: Language = locale.toLowerCase().startsWith('pt') ? 'pt' : 'en';

/** One set of words in each language; their shape is that of the English ones. */
export function catalogue<Messages>(words: {
  readonly en: Messages;
  readonly pt: NoInfer<Messages>;
}): Messages {
  return words[language];
}
