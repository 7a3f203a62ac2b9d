import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { webBuildPath } from '../../../src/paths';

/** What a browser fetched to show a page for the first time, as it comes over the wire. */
export interface FirstLoad {
  readonly scripts: number;
  readonly scriptBytes: number;
  readonly styleBytes: number;
}

/** Counts from now on; call what it returns when the page is shown. */
export function watchFirstLoad(page: Page): () => FirstLoad {
  const names = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/assets/')) names.add(basename(pathname));
  });
  return () => {
    const scripts = [...names].filter((name) => name.endsWith('.js'));
    const styles = [...names].filter((name) => name.endsWith('.css'));
    return { scripts: scripts.length, scriptBytes: zippedBytes(scripts), styleBytes: zippedBytes(styles) };
  };
}

/** The build leaves each file's gzip beside it. */
function zippedBytes(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + statSync(join(webBuildPath, 'assets', `${name}.gz`)).size, 0);
}
