import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths';
import { withLock } from './lock';
import { fingerprintSources } from './sources';
import { buildWorkflowBundle } from './workflow-bundle';

const OUTPUT = join(projectRoot, 'dist');
const STAMP_FILE = join(OUTPUT, '.built-from');
const LOCK_FILE = join(OUTPUT, '.build-lock');
const BUILT_WITHIN_MS = 180_000;

/**
 * `npm run build`, and the first thing `npm start` does: compiles into `dist` and bundles the workflows, unless that
 * was done from these very sources. One build at a time; throws with the compiler's messages.
 */
export async function build(progress: (message: string) => void): Promise<void> {
  const sources = fingerprintSources();
  if (isBuiltFrom(sources)) return;
  progress('Building ...');
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
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', projectRoot]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the build failed:\n${output}`));
    });
  });
}
