export type Language = 'en' | 'pt';

/** The first of the browser's languages that the pages support, or that are the one which the user chose. */
function chooseLocale(accepted: readonly string[], chosen: string | undefined): string {
  if (chosen !== 'en' && chosen !== 'pt') return accepted.find((tag) => /^(?:en|pt)\b/i.test(tag)) ?? 'en';
  const ofLanguage = accepted.find((tag) => tag.toLowerCase().startsWith(chosen));
  return ofLanguage ?? { en: 'en', pt: 'pt-BR' }[chosen];
}

/** Also sets the format of numbers and dates. Only pages of the dashboard know a choice (`dashboard/preferences.ts`). */
export const locale = chooseLocale(navigator.languages, document.documentElement.dataset['language']);
export const language: Language = locale.toLowerCase().startsWith('pt') ? 'pt' : 'en';

/** Selects the messages in the user's language. Both languages have the same keys. */
export function catalogue<Messages>(translations: {
  readonly en: Messages;
  readonly pt: NoInfer<Messages>;
}): Messages {
  return translations[language];
}
