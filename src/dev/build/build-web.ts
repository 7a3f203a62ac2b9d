import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { projectRoot, webBuildPath } from '../../paths';
import { withLock } from '../lock';
import { runProgram } from './run-program';
import { fingerprintDocsSources, fingerprintWebSources } from './sources';

const STAMP_FILE = `${webBuildPath}.built-from`;
const DOCS_STAMP_FILE = `${webBuildPath}.documented-from`;
const LOCK_FILE = `${webBuildPath}.build-lock`;
const BUILT_WITHIN_MS = 120_000;

/** The pages that `src/web/vite.config.ts` builds, each by itself. */
const PAGES = ['dashboard', 'checkout', 'docs'] as const;

/** Images and fonts are already compressed. */
const COMPRESSIBLE = /\.(?:js|css|svg)$/;

/**
 * Builds the web pages of `src/web`, with compressed copies of their assets, and then the documentation, each unless it is up to
 * date. Only one build runs at a time. Throws with the bundler's messages.
 */
export async function buildWeb(): Promise<void> {
  const sources = fingerprintWebSources();
  const docs = fingerprintDocsSources();
  const isBuilt = (): boolean => isBuiltFrom(STAMP_FILE, sources);
  const isDocumented = (): boolean => isBuilt() && isBuiltFrom(DOCS_STAMP_FILE, docs);
  if (isDocumented()) return;
  mkdirSync(dirname(webBuildPath), { recursive: true });
  await withLock(LOCK_FILE, BUILT_WITHIN_MS, async () => {
    if (!isBuilt()) await buildPages(sources);
    if (isDocumented()) return;
    await writeDocs();
    writeFileSync(DOCS_STAMP_FILE, docs);
  });
}

async function buildPages(sources: string): Promise<void> {
  for (const path of [STAMP_FILE, DOCS_STAMP_FILE, webBuildPath])
    rmSync(path, { force: true, recursive: true });
  for (const page of PAGES) await bundle(page);
  await compressAssets();
  writeFileSync(STAMP_FILE, sources);
}

function isBuiltFrom(stampFile: string, sources: string): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sources;
}

function bundle(page: string): Promise<void> {
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin', 'vite.js');
  const folder = join(projectRoot, 'src', 'web');
  return runProgram(vite, ['build', folder, '--mode', page, '--logLevel', 'warn'], 'the web build failed');
}

/** In a process of its own, whose libraries are ECMAScript modules. */
function writeDocs(): Promise<void> {
  const program = join(projectRoot, 'src', 'dev', 'build', 'docs', 'main.ts');
  return runProgram('--import', ['tsx', program], 'the build of the documentation failed');
}

async function compressAssets(): Promise<void> {
  const folder = join(webBuildPath, 'assets');
  const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(names.map((name) => compress(join(folder, name))));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  ]);
  await Promise.all([writeFile(`${file}.gz`, zipped), writeFile(`${file}.br`, brotli)]);
}
