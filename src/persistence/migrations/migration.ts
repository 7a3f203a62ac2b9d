/** One step of the schema's history. Steps only expand what stands; a column goes two releases after its last use. */
export interface Migration {
  readonly name: string;
  readonly up: string;
}
