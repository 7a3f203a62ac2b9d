/** Well above the number of statements in the code. The server keeps a plan for each per connection. */
const MAX_NAMES = 500;

/** Short names for SQL texts, so that Postgres parses and plans each once per connection. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** Undefined once the limit is reached: the text then runs unprepared. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= MAX_NAMES) return known;
    const name = `s${this.names.size + 1}`;
    this.names.set(text, name);
    return name;
  }
}
