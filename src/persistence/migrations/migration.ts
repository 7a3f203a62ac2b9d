/**
 * One version of the schema. A migration only expands the schema (new tables, nullable columns, indexes), because the
 * previous release runs until the new one has replaced it. A column is dropped two releases after its last use.
 */
export interface Migration {
  readonly name: string;
  readonly up: string;
}
