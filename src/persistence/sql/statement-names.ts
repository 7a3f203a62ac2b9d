/** Well above the number of statements in the code. Every connection keeps a plan for each at the server. */
const MAX_NAMES = 250;

/** Short names for the texts of statements, so that Postgres parses and plans each once per connection. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** Undefined once there are as many names as may be: a text without one runs all the same, only dearer. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= MAX_NAMES) return known;
    const name = `s${this.names.size + 1}`;
    this.names.set(text, name);
    return name;
  }
}
