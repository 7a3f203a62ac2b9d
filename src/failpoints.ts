import { unlinkSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** A named place between two lines where a fault test may stop the process. */
export type Failpoint = (name: FailpointName) => void;

export type FailpointName =
  | 'payment-committed'
  | 'operation-committed'
  | 'attempt-claimed'
  | 'charge-prepared'
  | 'gateway-answered'
  | 'outcome-committed'
  | 'webhook-answered'
  | 'answer-ready'
  | 'callback-stored';

/**
 * Outside fault tests this does nothing. With a folder set, a file `<name>.kill` or `<name>.stop` in it makes the
 * process kill or freeze itself there, once: the file is removed first, so that whoever comes back runs on.
 */
export function createFailpoint(folder: string | undefined): Failpoint {
  if (folder === undefined) return () => undefined;
  return (name) => {
    for (const [suffix, signal] of [
      ['kill', 'SIGKILL'],
      ['stop', 'SIGSTOP'],
    ] as const) {
      const file = join(folder, `${name}.${suffix}`);
      if (!existsSync(file)) continue;
      unlinkSync(file);
      process.kill(process.pid, signal);
    }
  };
}
