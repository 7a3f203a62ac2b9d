import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

/** Jest's globalTeardown: returns when every process of the stack has ended and its folder is gone. */
export default async function stopStack(): Promise<void> {
  const child = (globalThis as { testStackProcess?: ChildProcess }).testStackProcess;
  if (child === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
