import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../paths';

const WEB = join('src', 'web');
const FILES = ['package-lock.json', 'tsconfig.json'];

/** Of all that the programs are made of: our code, how it is compiled, and the exact versions of everybody else's. */
export function fingerprintSources(): string {
  const sources = ['workflows', 'activities', 'src'].flatMap(listFiles);
  const isProgram = (file: string) => file.endsWith('.ts') && !file.startsWith(join(WEB, '/'));
  return fingerprint([...sources.filter(isProgram), ...FILES]);
}

/** The same for the pages that browsers load; their styles and icons are sources too. */
export function fingerprintWebSources(): string {
  return fingerprint([...listFiles(WEB), ...FILES]);
}

function fingerprint(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(projectRoot, file)));
  return hash.digest('hex');
}

function listFiles(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(projectRoot, join(parentPath, name)))
    .sort();
}
