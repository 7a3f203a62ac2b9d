import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The checkout's root: the nearest folder above this file with a package.json, from source and from `dist` alike. */
function findProjectRoot(from: string): string {
  let folder = from;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${from}`);
    folder = parent;
  }
  return folder;
}

export const projectRoot = findProjectRoot(__dirname);
export const openapiPath = join(projectRoot, 'openapi.yaml');
/** Written by `npm run build`; the worker loads it instead of bundling workflows at start. */
export const workflowBundlePath = join(projectRoot, 'dist', 'workflow-bundle.js');
/** Written by the same: the pages that browsers load, and their `assets`. */
export const webBuildPath = join(projectRoot, 'dist', 'web');
