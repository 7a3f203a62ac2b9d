import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../../src/paths';

/** Where reference data of vendors is: the folder that `VENDOR_ORACLES_DIR` names, or one beside the project. */
const named = process.env.VENDOR_ORACLES_DIR;
const folder = resolve(projectRoot, named ?? '../shared/oracles');

/**
 * Defines tests that need a file of the reference data. Without it they are left out, and the end of the run says so; but a
 * folder that `VENDOR_ORACLES_DIR` names must have it.
 */
export function describeWithOracle(path: string, title: string, define: (content: unknown) => void): void {
  const file = join(folder, path);
  const isMissing = !existsSync(file);
  describe(title, () => {
    // A file of tests must have one.
    if (isMissing) it(`is left out, because ${path} is missing`, () => expect(named).toBeUndefined());
    else define(contentOf(file));
  });
}

/** Another file of the reference data, in tests that `describeWithOracle` defines. */
export const readOracle = (path: string): unknown => contentOf(join(folder, path));

function contentOf(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.yaml') ? (parse(text) as unknown) : (JSON.parse(text) as unknown);
}
