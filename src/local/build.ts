import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths';
import { fingerprintSources } from './sources';
import { buildWorkflowBundle } from './workflow-bundle';

const STAMP_FILE = join(projectRoot, 'dist', '.built-from');

/**
 * `npm run build`, and the first thing `npm start` does: compiles into `dist` and bundles the workflows, unless that
 * was done from these very sources. Throws with the compiler's messages.
 */
export async function build(progress: (message: string) => void): Promise<void> {
  const sources = fingerprintSources();
  if (existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === sources) return;
  progress('Building ...');
  rmSync(STAMP_FILE, { force: true });
  await Promise.all([compile(), buildWorkflowBundle()]);
  writeFileSync(STAMP_FILE, sources);
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
