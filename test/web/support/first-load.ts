import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { webBuildPath } from '../../../src/paths';

/** What a page waits for on the first visit, compressed. */
export interface FirstLoad {
  readonly scripts: number;
  readonly scriptBytes: number;
  readonly styleBytes: number;
}

/** The files that the built page itself names; the others load after it is shown. */
export function firstLoadOf(page: 'checkout' | 'dashboard' | 'docs'): FirstLoad {
  const html = readFileSync(join(webBuildPath, page, 'index.html'), 'utf8');
  const files = [...new Set(html.match(/\/assets\/[\w-]+\.(?:js|css)/g) ?? [])];
  const scripts = files.filter((file) => file.endsWith('.js'));
  const styles = files.filter((file) => file.endsWith('.css'));
  return { scripts: scripts.length, scriptBytes: gzipBytes(scripts), styleBytes: gzipBytes(styles) };
}

/** The build writes a gzip copy of each file. */
function gzipBytes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(join(webBuildPath, `${file}.gz`)).size, 0);
}
