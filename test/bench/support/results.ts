import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';

/** Writes a run's results as JSON to `bench-results`; returns the file's path. */
export function writeResults(kind: string, results: object): string {
  const folder = join(projectRoot, 'bench-results');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${kind}-${at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ at, ...results }, null, 2)}\n`);
  return file;
}
