import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { webBuildPath } from '../../../paths';
import { escapeHtml } from './html';
import { OpenApi } from './openapi';
import { buildSite, type DocsPage, type DocsSite } from './pages';

/**
 * Writes the pages of the API's documentation to `dist/web/docs/pages`, from openapi.yaml and `docs/`, in the frame that Vite
 * has built from `src/web/docs/index.html`.
 */

const FOLDER = join(webBuildPath, 'docs');
const PAGES = join(FOLDER, 'pages');

function main(): void {
  const frame = readFileSync(join(FOLDER, 'index.html'), 'utf8').replaceAll('{{csp-nonce}}', '');
  const site = buildSite(OpenApi.read());
  rmSync(PAGES, { recursive: true, force: true });
  for (const page of [site.home, ...site.guides, ...site.tags, ...site.objects]) {
    const name = page.url === '/docs' ? 'index' : page.url.replace('/docs/', '');
    write(`${name}.html`, inFrame(frame, page, menu(site, page)));
  }
  write('search.json', JSON.stringify(site.entries));
}

function write(name: string, content: string): void {
  const file = join(PAGES, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function inFrame(frame: string, { title, content }: DocsPage, nav: string): string {
  const values: Readonly<Record<string, string>> = { title: escapeHtml(title), nav, content };
  // One pass: a text of a page may have such a name in braces itself.
  return frame.replaceAll(/\{\{(title|nav|content)\}\}/g, (_, name: string) => values[name] ?? '');
}

/** All pages, and the sections of the one that is shown. */
function menu({ home, guides, tags }: DocsSite, current: DocsPage): string {
  const item = (page: DocsPage, text = page.title): string => {
    const isCurrent = page.url === current.url;
    const sections = isCurrent
      ? `<ul>${page.sections.map(([url, name]) => `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a></li>`).join('')}</ul>`
      : '';
    return `<li><a href="${page.url}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>${sections}</li>`;
  };
  return `<ul>${item(home, 'Start')}</ul>
<p class="group">Guides</p><ul>${guides.map((page) => item(page)).join('')}</ul>
<p class="group">API</p><ul>${tags.map((page) => item(page)).join('')}</ul>`;
}

main();
