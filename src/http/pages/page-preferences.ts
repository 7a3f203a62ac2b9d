import { parseCookie } from 'cookie';

const THEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'pt'] as const;

/** What somebody chose for the pages in this browser. `auto`: they follow the system and the browser. */
interface PagePreferences {
  readonly theme: (typeof THEMES)[number] | 'auto';
  readonly language: (typeof LANGUAGES)[number] | 'auto';
}

/** From the cookies that the dashboard sets (`src/web/dashboard/preferences.ts`); other values count as none. */
export function pagePreferences(cookieHeader: string | undefined): PagePreferences {
  const { theme, language } = parseCookie(cookieHeader ?? '');
  return {
    theme: THEMES.find((known) => known === theme) ?? 'auto',
    language: LANGUAGES.find((known) => known === language) ?? 'auto',
  };
}
