import { defineConfig } from 'vite';

/** The server replaces this with a new nonce in each response (`src/http/pages/web-pages.ts`). */
const NONCE_PLACEHOLDER = '{{csp-nonce}}';

/** One entry per page; shared code becomes separate chunks, so that no page loads what it does not need. */
export default defineConfig({
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { dashboard: 'dashboard/index.html', checkout: 'checkout/index.html' },
      onLog(level, log, defaultHandler) {
        // Libraries mark client components; there is no server rendering here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log);
      },
    },
  },
});
