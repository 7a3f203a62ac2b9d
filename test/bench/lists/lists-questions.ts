import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';
import type { PaymentListFilter } from '../../../src/persistence/read-models/payment-list';

/** What is asked of a list (at which part of it), or of the dashboard (of how many days). */
export type Question =
  | { readonly kind: 'list'; readonly filter: PaymentListFilter; readonly at: 'first' | 'middle' | 'last' }
  | { readonly kind: 'dashboard'; readonly days: number };

export interface Answer {
  readonly ms: number;
  /** Of the list; or how many payments the dashboard counts. */
  readonly total: number;
  /** The page's payments. */
  readonly ids: readonly number[];
  readonly page: number;
}

export const PAGE_SIZE = 15;

/** A process that reads one database: Sequelize's models belong to one connection in a process. */
export class ListReader {
  private readonly child: ChildProcess;
  private readonly ended: Promise<never>;

  constructor(databaseUrl: string, companyId: number) {
    const target = JSON.stringify({ databaseUrl, companyId });
    this.child = fork(join(projectRoot, 'test', 'bench', 'lists', 'lists-reader-main.ts'), [target], {
      execArgv: ['--import', require.resolve('tsx')],
    });
    this.ended = once(this.child, 'exit').then(() => Promise.reject(new Error('the reader ended')));
    this.ended.catch(() => undefined);
  }

  async ask(question: Question): Promise<Answer> {
    this.child.send(question);
    const [answer] = (await Promise.race([once(this.child, 'message'), this.ended])) as [
      Answer | { failed: string },
    ];
    if ('failed' in answer) throw new Error(answer.failed);
    return answer;
  }

  stop(): void {
    if (this.child.connected) this.child.disconnect();
  }
}
