import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { STACK_VARIABLE, type Stack } from './stack';
import type { StackMessage } from './stack-process';

/** Fetching the Temporal server, the first time, is part of it. */
const READY_WITHIN_MS = 300_000;

/** Jest's globalSetup: starts the stack that all test files share, in a process that outlives neither them nor us. */
export default async function startStack(): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'stack-process.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  const stack = await answerOf(child);
  process.env[STACK_VARIABLE] = JSON.stringify(stack);
  (globalThis as { testStackProcess?: ChildProcess }).testStackProcess = child;
}

function answerOf(child: ChildProcess): Promise<Stack> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.disconnect();
      reject(new Error(`the test stack is not ready after ${READY_WITHIN_MS / 1000} s`));
    }, READY_WITHIN_MS);
    child.once('exit', () => reject(new Error('the test stack ended before it was ready')));
    child.once('message', (message: StackMessage) => {
      clearTimeout(late);
      if ('ready' in message) return resolve(message.ready);
      child.disconnect();
      reject(new Error(`the test stack does not start\n${message.failed}`));
    });
  });
}
