import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A named point in the code where a fault test can stop the process while it works for a company. */
export type Failpoint = (name: FailpointName, companyId: number) => void;

export type FailpointName =
  | 'payment-committed'
  | 'operation-committed'
  | 'first-attempt-started'
  | 'attempt-claimed'
  | 'charge-prepared'
  | 'gateway-answered'
  | 'outcome-committed'
  | 'answer-committed'
  | 'webhook-answered'
  | 'answer-ready'
  | 'callback-stored'
  | 'subscription-committed'
  | 'subscription-command-committed'
  | 'subscription-step'
  | 'subscription-step-committed'
  | 'subscription-charge-settled'
  | 'statement-page-committed'
  | 'statement-batch-committed'
  | 'statement-compared';

/**
 * Does nothing without a folder, that is, outside fault tests. A file `<name>.kill` or `<name>.stop` in the folder makes
 * the process kill or freeze itself at that failpoint. The file is deleted first, so it takes effect once. If the file
 * contains a company's id, it applies only to work for that company.
 */
export function createFailpoint(folder: string | undefined): Failpoint {
  if (folder === undefined) return () => undefined;
  return (name, companyId) => {
    for (const [suffix, signal] of [
      ['kill', 'SIGKILL'],
      ['stop', 'SIGSTOP'],
    ] as const) {
      const file = join(folder, `${name}.${suffix}`);
      if (existsSync(file) && consume(file, companyId)) process.kill(process.pid, signal);
    }
  };
}

/** Deletes the file; false if it is for another company or another process deleted it first. */
function consume(file: string, companyId: number): boolean {
  try {
    const target = readFileSync(file, 'utf8');
    if (target !== '' && target !== String(companyId)) return false;
    unlinkSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
