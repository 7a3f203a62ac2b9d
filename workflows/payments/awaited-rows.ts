interface Awaited<Row> {
  readonly row: Row;
  /** A step has started since the caller began to wait, so it knows the row. */
  included: boolean;
}

/** Committed rows whose callers wait in an update until a step reports them closed. */
export class AwaitedRows<Row> {
  private readonly rows = new Map<string, Awaited<Row>>();

  add(id: string, row: Row): void {
    if (!this.rows.has(id)) this.rows.set(id, { row, included: false });
  }

  has(id: string): boolean {
    return this.rows.has(id);
  }

  get size(): number {
    return this.rows.size;
  }

  /** A row that no step has included. */
  get next(): Row | undefined {
    return [...this.rows.values()].find(({ included }) => !included)?.row;
  }

  /** Call it when a step starts: it reads every row that is committed now. */
  includeAll(): void {
    for (const awaited of this.rows.values()) awaited.included = true;
  }

  /** Call it when a step has ended, with the ids that it reported as open. */
  removeClosed(openIds: readonly string[]): void {
    for (const [id, { included }] of this.rows) if (included && !openIds.includes(id)) this.rows.delete(id);
  }
}
