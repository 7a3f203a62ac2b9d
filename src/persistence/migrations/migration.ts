import type { Mode } from '../../domain/shared/mode';

/**
 * One version of the schema. A migration only expands the schema (new tables, nullable columns, indexes), because the
 * previous release runs until the new one has replaced it. A column is dropped two releases after its last use.
 */
export interface Migration {
  readonly name: string;
  /** Statements of one transaction, also by the deployment's mode. Safe to run again if the migration has an `index`. */
  readonly up?: string | ((mode: Mode) => string);
  /**
   * An index on a large table, built after `up` and outside a transaction, so that writes to the table go on meanwhile. If
   * that fails, `up` stays and the whole migration runs again next time.
   */
  readonly index?: { readonly name: string; readonly definition: string };
}
