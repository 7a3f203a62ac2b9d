import { defineConfig, type Plugin } from 'vite';

/** The server replaces this with a new nonce in each response (`src/http/pages/web-pages.ts`). */
const NONCE_PLACEHOLDER = '{{csp-nonce}}';

const LIBRARIES = /[\\/]node_modules[\\/]|rolldown[\\/]runtime/;
const ALL_BUT_BOOT = /^(?!.*[\\/]boot\.ts$)/;

/** The pages, each with its entries. They share no chunk: buyers do not visit the dashboard. */
const PAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dashboard: { dashboard: 'dashboard/index.html', boot: 'dashboard/boot/boot.ts' },
  checkout: { checkout: 'checkout/index.html' },
  docs: { docs: 'docs/index.html' },
};

/** `--mode` chooses the page (`src/dev/build/build-web.ts`). Each request costs a round trip, so chunks are few. */
export default defineConfig(({ mode }) => ({
  html: { cspNonce: NONCE_PLACEHOLDER },
  plugins: [bootScript()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: PAGES[mode],
      output: {
        codeSplitting: {
          groups: [
            // What the first page needs; the libraries' chunk stays in caches when only our own code changes.
            { name: 'libraries', test: LIBRARIES, tags: ['$initial'], priority: 2 },
            { name: 'first', test: ALL_BUT_BOOT, tags: ['$initial'], priority: 1 },
            // What several of the pages that load later need.
            { name: 'later', minShareCount: 2 },
          ],
        },
      },
      onLog(level, log, defaultHandler) {
        // Libraries mark client components; there is no server rendering here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log);
      },
    },
  },
}));

/** Puts `dashboard/boot/boot.ts` before all other scripts of the dashboard; Vite would merge it with them. */
function bootScript(): Plugin {
  return {
    name: 'boot-script',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const boot = Object.values(bundle ?? {}).find(
          ({ type, name }) => type === 'chunk' && name === 'boot',
        );
        if (boot === undefined) return html;
        // Asynchronous: it need not wait for the styles.
        const script = `<script type="module" async src="/${boot.fileName}" nonce="${NONCE_PLACEHOLDER}"></script>`;
        return html.replace('<script type="module"', (next) => `${script}\n    ${next}`);
      },
    },
  };
}
