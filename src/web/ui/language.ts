export type Language = 'en' | 'pt';

/** The first of the browser's languages that the pages support. */
function chooseLocale(accepted: readonly string[]): string {
  return accepted.find((tag) => /^(?:en|pt)\b/i.test(tag)) ?? 'en';
}

/** Also sets the format of numbers and dates. */
export const locale = chooseLocale(navigator.languages);
export const language: Language = locale.toLowerCase().startsWith('pt') ? 'pt' : 'en';

/** Selects the messages in the user's language. Both languages have the same keys. */
export function catalogue<Messages>(translations: {
  readonly en: Messages;
  readonly pt: NoInfer<Messages>;
}): Messages {
  return translations[language];
}
