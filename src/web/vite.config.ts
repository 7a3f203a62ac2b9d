import { defineConfig } from 'vite';

/** The server puts a nonce of its own in this place, another one for each answer (`src/http/pages/web-pages.ts`). */
const NONCE_PLACEHOLDER = '{{csp-nonce}}';

/** An entry a page; what two of them share becomes a file of its own, so that none loads what it does not need. */
export default defineConfig({
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { dashboard: 'dashboard/index.html', checkout: 'checkout/index.html' },
      onLog(level, log, tell) {
        // Libraries mark what a server may not render; here nothing is rendered on a server.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
      },
    },
  },
});
