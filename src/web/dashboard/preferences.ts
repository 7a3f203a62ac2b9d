import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import type { Language } from '../ui/language';

/*
 * Cookies keep what somebody chose in this browser, so that the server can send the page with it
 * (`src/http/pages/page-preferences.ts`): a script would set it only after something was shown.
 */

const YEAR_SECONDS = 31_536_000;
const { dataset } = document.documentElement;

/** The language that the user chose; null for that of the browser. */
export const chosenLanguage: Language | null =
  dataset['language'] === 'en' || dataset['language'] === 'pt' ? dataset['language'] : null;

/** Loads the page anew: its texts are chosen when it loads. Null for the language of the browser. */
export function chooseLanguage(language: Language | null): void {
  store('language', language);
  location.reload();
}

/** Keeps the theme that the user chose; `auto` follows the system. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: chosenTheme,
  set: (theme) => {
    dataset['theme'] = theme;
    store('theme', theme === 'auto' ? null : theme);
  },
  // A choice in another tab is seen when this one is loaded again.
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => store('theme', null),
};

function chosenTheme(otherwise: MantineColorScheme): MantineColorScheme {
  const theme = dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : otherwise;
}

function store(name: string, value: string | null): void {
  const attributes = ['path=/dashboard', 'samesite=lax', `max-age=${value === null ? 0 : YEAR_SECONDS}`];
  if (location.protocol === 'https:') attributes.push('secure');
  document.cookie = [`${name}=${value ?? ''}`, ...attributes].join('; ');
}
