import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A named place between two lines where a fault test may stop the process that works for a company. */
export type Failpoint = (name: FailpointName, companyId: number) => void;

export type FailpointName =
  | 'payment-committed'
  | 'operation-committed'
  | 'attempt-claimed'
  | 'charge-prepared'
  | 'gateway-answered'
  | 'outcome-committed'
  | 'webhook-answered'
  | 'answer-ready'
  | 'callback-stored'
  | 'subscription-committed'
  | 'subscription-command-committed'
  | 'subscription-step'
  | 'subscription-step-committed';

/**
 * Outside fault tests this does nothing. With a folder set, a file `<name>.kill` or `<name>.stop` in it makes the
 * process kill or freeze itself there, once: the file is removed first, so that whoever comes back runs on. A file that
 * names a company is for whoever works for that company; an empty one is for anybody.
 */
export function createFailpoint(folder: string | undefined): Failpoint {
  if (folder === undefined) return () => undefined;
  return (name, companyId) => {
    for (const [suffix, signal] of [
      ['kill', 'SIGKILL'],
      ['stop', 'SIGSTOP'],
    ] as const) {
      const file = join(folder, `${name}.${suffix}`);
      if (existsSync(file) && take(file, companyId)) process.kill(process.pid, signal);
    }
  };
}

/** False when it is meant for others, or was taken back meanwhile. */
function take(file: string, companyId: number): boolean {
  try {
    const meant = readFileSync(file, 'utf8');
    if (meant !== '' && meant !== String(companyId)) return false;
    unlinkSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
