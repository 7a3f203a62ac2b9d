import { spawn } from 'node:child_process';
import { childEnvironment } from '../../config';

/**
 * Runs a program written for Node to its end, as in production: what it makes does not depend on who asked for it (jest
 * sets `NODE_ENV`, by which bundlers choose). Throws, with all that it printed, when it fails.
 */
export function runProgram(file: string, args: readonly string[], failure: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = childEnvironment({ NODE_ENV: 'production' });
    const child = spawn(process.execPath, [file, ...args], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${failure}:\n${output}`));
    });
  });
}
