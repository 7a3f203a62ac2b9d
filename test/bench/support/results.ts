import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';

/** Keeps a run's figures under `bench-results`, for programs and for later; returns the file's name. */
export function writeResults(kind: string, results: object): string {
  const folder = join(projectRoot, 'bench-results');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${kind}-${at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ at, ...results }, null, 2)}\n`);
  return file;
}
