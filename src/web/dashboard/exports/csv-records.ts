/** Finds the records in CSV that arrives in pieces. A line end within quotes ends no record. */
export class CsvRecords {
  /** Complete records so far, the header included. */
  count = 0;
  /** The first cell of the last complete record; null before the first one. It has no quotes. */
  lastId: string | null = null;
  private rest = '';
  private searched = 0;
  private isQuoted = false;

  get endsInside(): boolean {
    return this.rest !== '';
  }

  /** Returns the records that this piece completes. */
  take(piece: string): string {
    this.rest += piece;
    let end = 0;
    for (let index = this.searched; index < this.rest.length; index += 1) {
      const character = this.rest[index];
      if (character === '"') this.isQuoted = !this.isQuoted;
      if (character !== '\n' || this.isQuoted) continue;
      this.lastId = /^[^,;\r\n]*/.exec(this.rest.slice(end, index))?.[0] ?? null;
      this.count += 1;
      end = index + 1;
    }
    const complete = this.rest.slice(0, end);
    this.rest = this.rest.slice(end);
    this.searched = this.rest.length;
    return complete;
  }

  /** Forgets the record of which only a part has arrived. */
  dropIncomplete(): void {
    this.rest = '';
    this.searched = 0;
    this.isQuoted = false;
  }
}
