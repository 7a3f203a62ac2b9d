import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';
import type { PaymentListFilter } from '../../../src/persistence/read-models/payment-conditions';

/** A page of the filtered payment list, the dashboard of a number of days, or a search for anything. */
export type ListQuery =
  | { readonly kind: 'list'; readonly filter: PaymentListFilter; readonly at: 'first' | 'middle' | 'last' }
  | { readonly kind: 'dashboard'; readonly days: number }
  | { readonly kind: 'search'; readonly q: string };

export interface ListQueryResult {
  readonly ms: number;
  /** The list's total, the number of payments that the dashboard counts, or the number of results. */
  readonly total: number;
  /** The ids of the page's payments. */
  readonly ids: readonly number[];
  readonly page: number;
}

export const PAGE_SIZE = 15;

/** A process that reads one database: in one process, Sequelize's models have one connection. */
export class ListReader {
  private readonly child: ChildProcess;
  private readonly exited: Promise<never>;

  constructor(databaseUrl: string, companyId: number) {
    const target = JSON.stringify({ databaseUrl, companyId });
    this.child = fork(join(projectRoot, 'test', 'bench', 'lists', 'lists-reader-main.ts'), [target], {
      execArgv: ['--import', require.resolve('tsx')],
    });
    this.exited = once(this.child, 'exit').then(() => Promise.reject(new Error('the list reader exited')));
    this.exited.catch(() => undefined);
  }

  async run(query: ListQuery): Promise<ListQueryResult> {
    this.child.send(query);
    const [result] = (await Promise.race([once(this.child, 'message'), this.exited])) as [
      ListQueryResult | { failed: string },
    ];
    if ('failed' in result) throw new Error(result.failed);
    return result;
  }

  stop(): void {
    if (this.child.connected) this.child.disconnect();
  }
}
