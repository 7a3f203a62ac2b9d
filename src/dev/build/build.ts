import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../paths';
import { buildWeb } from './build-web';
import { withLock } from '../lock';
import { runProgram } from './run-program';
import { fingerprintSources } from './sources';
import { buildWorkflowBundle } from './workflow-bundle';

const OUTPUT = join(projectRoot, 'dist');
const STAMP_FILE = join(OUTPUT, '.built-from');
const LOCK_FILE = join(OUTPUT, '.build-lock');
const BUILT_WITHIN_MS = 180_000;

/** `npm run build`, also the first step of `npm start`. Skips what is up to date. */
export async function build(print: (message: string) => void): Promise<void> {
  await Promise.all([buildPrograms(print), buildWeb()]);
}

/** Compiles into `dist` and bundles the workflows. Only one build runs at a time. Throws with the compiler's messages. */
async function buildPrograms(print: (message: string) => void): Promise<void> {
  const sources = fingerprintSources();
  if (isBuiltFrom(sources)) return;
  print('Building ...');
  mkdirSync(OUTPUT, { recursive: true });
  await withLock(LOCK_FILE, BUILT_WITHIN_MS, async () => {
    if (isBuiltFrom(sources)) return;
    rmSync(STAMP_FILE, { force: true });
    await Promise.all([compile(), buildWorkflowBundle()]);
    writeFileSync(STAMP_FILE, sources);
  });
}

function isBuiltFrom(sources: string): boolean {
  return existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === sources;
}

function compile(): Promise<void> {
  const compiler = join(dirname(require.resolve('typescript-native/package.json')), 'bin', 'tsc');
  return runProgram(compiler, ['-p', projectRoot], 'the build failed');
}
