import { api, type Schema } from '../api/client';

type Mode = Schema<'Mode'>;

const STORAGE_KEY = 'mode';

/**
 * The mode that was chosen in this tab; null for the deployment's. Read once: what a page shows and what it changes are of one
 * mode, and a choice in another tab changes nothing here.
 */
const chosen = stored();

/** The header of requests to the API in the chosen mode. */
export const modeHeader: Readonly<Record<string, string>> = chosen === null ? {} : { 'X-Mode': chosen };

/** Makes every request of the dashboard one in the chosen mode. */
export function sendChosenMode(): void {
  api.use({
    onRequest({ request }) {
      for (const [name, value] of Object.entries(modeHeader)) request.headers.set(name, value);
    },
  });
}

/** Loads the dashboard anew, so that nothing of the other mode stays on the page. */
export function switchMode(mode: Mode): void {
  sessionStorage.setItem(STORAGE_KEY, mode);
  location.assign('/dashboard');
}

function stored(): Mode | null {
  try {
    const mode = sessionStorage.getItem(STORAGE_KEY);
    return mode === 'test' || mode === 'live' ? mode : null;
  } catch {
    return null;
  }
}
