import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths';

const FOLDERS = ['workflows', 'activities', 'src'];
const FILES = ['package-lock.json', 'tsconfig.json'];

/** Of all that a build is made of: our code, how it is compiled, and the exact versions of everybody else's. */
export function fingerprintSources(): string {
  const hash = createHash('sha256');
  for (const file of [...FOLDERS.flatMap(listSources), ...FILES]) {
    hash.update(`${file}\0`).update(readFileSync(join(projectRoot, file)));
  }
  return hash.digest('hex');
}

function listSources(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(folder, name));
}
