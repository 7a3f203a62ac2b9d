import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../paths';

const WEB = join('src', 'web');
const DOCS_BUILD = join('src', 'dev', 'build', 'docs');
const FILES = ['package-lock.json', 'tsconfig.json'];

/** Hashes the inputs of the program build: sources, compiler options and dependency versions. */
export function fingerprintSources(): string {
  const sources = ['workflows', 'activities', 'src'].flatMap(listFiles);
  const isProgram = (file: string) => file.endsWith('.ts') && !file.startsWith(join(WEB, '/'));
  return fingerprint([...sources.filter(isProgram), ...FILES]);
}

/** Hashes the inputs of the web build, including styles and icons. */
export function fingerprintWebSources(): string {
  return fingerprint([...listFiles(WEB), ...FILES]);
}

/** Hashes what the pages of the documentation are made of, beside the frame that the web build makes. */
export function fingerprintDocsSources(): string {
  const guides = listFiles('docs').filter((file) => file.endsWith('.md'));
  return fingerprint([...listFiles(DOCS_BUILD), ...guides, 'openapi.yaml', ...FILES]);
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
