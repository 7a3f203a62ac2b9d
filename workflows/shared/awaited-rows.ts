interface Awaited<Row> {
  readonly row: Row;
  /** A step began after the row was committed, so its result says whether the row is still open. */
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

  get ids(): string[] {
    return [...this.rows.keys()];
  }

  get all(): Row[] {
    return [...this.rows.values()].map(({ row }) => row);
  }

  /** A row that no step has included. */
  get next(): Row | undefined {
    return [...this.rows.values()].find(({ included }) => !included)?.row;
  }

  /** Call it with the ids that waited when a step began. */
  include(ids: readonly string[]): void {
    for (const id of ids) {
      const awaited = this.rows.get(id);
      if (awaited !== undefined) awaited.included = true;
    }
  }

  /** Call it when a step has ended, with the ids that it reported as open. */
  removeClosed(openIds: readonly string[]): void {
    for (const [id, { included }] of this.rows) if (included && !openIds.includes(id)) this.rows.delete(id);
  }
}
