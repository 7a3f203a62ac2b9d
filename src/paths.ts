import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder above this file with a package.json; works from source and from `dist`. */
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
/** Output of `npm run build`; the worker loads it instead of bundling workflows at startup. */
export const workflowBundlePath = join(projectRoot, 'dist', 'workflow-bundle.js');
/** Output of `npm run build`: the pages for browsers and their `assets`. */
export const webBuildPath = join(projectRoot, 'dist', 'web');
