import { Client } from 'pg';

/** What this process has asked of Postgres. */
export interface Asked {
  /** In the order they were sent, without BEGIN, COMMIT and ROLLBACK. */
  readonly statements: readonly string[];
  readonly commits: number;
  /** How often somebody waited: statements sent together are waited for once. */
  readonly roundTrips: number;
}

/** Runs `work` and tells what all connections of this process have sent to Postgres meanwhile. */
export async function asking(work: () => Promise<unknown>): Promise<Asked> {
  const sent: Array<{ readonly text: string; readonly alone: boolean; readonly inTransaction: boolean }> = [];
  const underWay = new Map<unknown, number>();
  const open = new Set<unknown>();
  const { query } = Client.prototype as { query: (...args: unknown[]) => Promise<unknown> };
  const spy = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: unknown,
    ...args: unknown[]
  ) {
    const text = textOf(args[0]);
    const waiting = underWay.get(this) ?? 0;
    if (/^(BEGIN|START)/.test(text)) open.add(this);
    sent.push({ text, alone: waiting === 0, inTransaction: open.has(this) });
    if (/^(COMMIT|ROLLBACK)/.test(text)) open.delete(this);
    underWay.set(this, waiting + 1);
    const done = (): unknown => underWay.set(this, (underWay.get(this) ?? 1) - 1);
    const callback = args.at(-1);
    if (typeof callback !== 'function') return query.apply(this, args).finally(done);
    const told = (...results: unknown[]): void => {
      done();
      (callback as (...results: unknown[]) => void)(...results);
    };
    return query.apply(this, [...args.slice(0, -1), told]);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  const isFrame = (text: string): boolean => /^(BEGIN|START|COMMIT|ROLLBACK)/.test(text);
  return {
    statements: sent.map(({ text }) => text).filter((text) => !isFrame(text)),
    commits: sent.filter(({ text, inTransaction }) => text.startsWith('COMMIT') || !inTransaction).length,
    roundTrips: sent.filter(({ alone }) => alone).length,
  };
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : (query as { text: string }).text;
}
