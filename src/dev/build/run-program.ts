import { spawn } from 'node:child_process';
import { childEnv } from '../../config';

/**
 * Runs a Node program and waits for it. Sets `NODE_ENV` to production, because bundlers depend on it and jest sets another
 * value. Throws with the program's output if it fails.
 */
export function runProgram(file: string, args: readonly string[], failure: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = childEnv({ NODE_ENV: 'production' });
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
