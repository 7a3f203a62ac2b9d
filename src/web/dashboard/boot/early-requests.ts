import { api } from '../../api/client';

declare global {
  interface Window {
    /** Answers to the requests of `boot.ts`, by path. */
    earlyRequests?: Map<string, Promise<Response>>;
  }
}

let isKnownSignedOut = document.documentElement.dataset['session'] === 'absent';

/** Answers the first request for each path from what `boot.ts` has requested already. */
export function takeEarlyAnswers(): void {
  api.use({
    onRequest({ request: { method, url } }) {
      // It may sign somebody else in, to whom the answers do not belong.
      if (method !== 'GET') {
        isKnownSignedOut = false;
        window.earlyRequests?.clear();
      }
      const { pathname, search } = new URL(url);
      const early = window.earlyRequests?.get(pathname);
      if (method !== 'GET' || search !== '' || early === undefined) return undefined;
      window.earlyRequests?.delete(pathname);
      // Without an answer the request is sent as usual.
      return early.catch(() => undefined);
    },
  });
}

/** True once, if the browser had no session when it loaded the page and has not asked for one: no request need find that out. */
export function takeSignedOut(): boolean {
  const result = isKnownSignedOut;
  isKnownSignedOut = false;
  return result;
}
