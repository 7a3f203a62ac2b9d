import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { webBuildPath } from '../../../src/paths';

/** What a browser loads on the first visit, compressed. */
export interface FirstLoad {
  readonly scripts: number;
  readonly scriptBytes: number;
  readonly styleBytes: number;
}

/** Starts counting; call the returned function when the page is shown. */
export function watchFirstLoad(page: Page): () => FirstLoad {
  const names = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/assets/')) names.add(basename(pathname));
  });
  return () => {
    const scripts = [...names].filter((name) => name.endsWith('.js'));
    const styles = [...names].filter((name) => name.endsWith('.css'));
    return { scripts: scripts.length, scriptBytes: gzipBytes(scripts), styleBytes: gzipBytes(styles) };
  };
}

/** The build writes a gzip copy of each file. */
function gzipBytes(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + statSync(join(webBuildPath, 'assets', `${name}.gz`)).size, 0);
}
