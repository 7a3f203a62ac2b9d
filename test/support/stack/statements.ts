import { Client } from 'pg';

/** The statements this process has sent to Postgres. */
export interface SentStatements {
  /** In the order they were sent, without BEGIN, COMMIT and ROLLBACK. */
  readonly statements: readonly string[];
  readonly commits: number;
}

/** Runs `work` and returns what all connections of this process sent to Postgres meanwhile. */
export async function recordStatements(work: () => Promise<unknown>): Promise<SentStatements> {
  const sent: Array<{ readonly text: string; readonly inTransaction: boolean }> = [];
  const inTransaction = new Set<unknown>();
  const { query } = Client.prototype as { query: (...args: unknown[]) => Promise<unknown> };
  const spy = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: unknown,
    ...args: unknown[]
  ) {
    const text = textOf(args[0]);
    if (/^(BEGIN|START)/.test(text)) inTransaction.add(this);
    sent.push({ text, inTransaction: inTransaction.has(this) });
    if (/^(COMMIT|ROLLBACK)/.test(text)) inTransaction.delete(this);
    return query.apply(this, args);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  const isFrame = (text: string): boolean => /^(BEGIN|START|COMMIT|ROLLBACK)/.test(text);
  return {
    statements: sent.map(({ text }) => text).filter((text) => !isFrame(text)),
    commits: sent.filter(({ text, inTransaction: framed }) => text.startsWith('COMMIT') || !framed).length,
  };
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : (query as { text: string }).text;
}
