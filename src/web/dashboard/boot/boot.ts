/*
 * The first script of the page. It imports nothing, so it runs while the others are still loading, and requests the data
 * of the first page. `early-requests.ts` gives the answers to whoever asks for the same.
 */

const BASE = '/api/v1';
const OVERVIEW = /^\/dashboard\/?$/;
const PAYMENT = /^\/dashboard\/payments\/([\w-]+)$/;

/** Paths of the API that the page at this address reads first. */
function firstReads({ pathname, search }: Location): string[] {
  const reads = ['/user/me', '/user/company/config'];
  const [, payment] = PAYMENT.exec(pathname) ?? [];
  if (payment !== undefined) return [...reads, `/user/payments/${payment}`];
  return OVERVIEW.test(pathname) && search === '' ? [...reads, '/dashboard'] : reads;
}

/** As in `mode.ts`. */
function chosenMode(): Record<string, string> {
  try {
    const mode = sessionStorage.getItem('mode');
    return mode === 'test' || mode === 'live' ? { 'X-Mode': mode } : {};
  } catch {
    return {};
  }
}

// The server knows whether the browser sent a session (`src/http/pages/web-pages.ts`).
if (document.documentElement.dataset['session'] === 'present') {
  const init: RequestInit = { credentials: 'same-origin', headers: chosenMode() };
  window.earlyRequests = new Map(
    firstReads(location).map((path) => {
      const answer = fetch(BASE + path, init);
      // Whoever takes it sees the failure.
      answer.catch(() => undefined);
      return [BASE + path, answer];
    }),
  );
}
