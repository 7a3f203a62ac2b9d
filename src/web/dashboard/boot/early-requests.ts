import { api } from '../../api/client';

declare global {
  interface Window {
    /** Answers to the requests of `boot.ts`, by path. */
    earlyRequests?: Map<string, Promise<Response>>;
  }
}

/** Answers the first request for each path from what `boot.ts` has requested already. */
export function takeEarlyAnswers(): void {
  api.use({
    onRequest({ request: { method, url } }) {
      const { pathname, search } = new URL(url);
      const early = window.earlyRequests?.get(pathname);
      if (method !== 'GET' || search !== '' || early === undefined) return undefined;
      window.earlyRequests?.delete(pathname);
      // Without an answer the request is sent as usual.
      return early.catch(() => undefined);
    },
  });
}

let isKnownSignedOut = document.documentElement.dataset['session'] === 'absent';

/** True once, if the browser had no session when it loaded the page: then no request is needed to find that out. */
export function takeSignedOut(): boolean {
  const result = isKnownSignedOut;
  isKnownSignedOut = false;
  return result;
}
