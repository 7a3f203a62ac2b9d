import type { StatementLine } from '../../domain/settlement/statement-line';

/** The most lines of one page, so that memory stays bounded. */
export const STATEMENT_PAGE_LINES = 1_000;

/** Where a page begins. */
export interface StatementPosition {
  /** `YYYY-MM-DD` in Brasília. */
  readonly day: string;
  /** `next` of the page before it; null for the first page. */
  readonly cursor: string | null;
}

export interface StatementPage {
  /** At most `STATEMENT_PAGE_LINES`, in the statement's order. */
  readonly lines: readonly StatementLine[];
  /** Null if this is the last page. */
  readonly next: string | null;
}

/** How the statements of an account are fetched. It throws `GatewayError`, as every method of a driver does. */
export interface StatementDriver<Context> {
  /** One page of the statement of a day; null if the gateway has not made it yet. The same position has the same lines. */
  fetchPage(ctx: Context, position: StatementPosition): Promise<StatementPage | null>;
}
