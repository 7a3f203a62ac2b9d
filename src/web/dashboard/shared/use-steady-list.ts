import { useState } from 'react';
import type { Schema } from '../../api/client';

export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly meta: Schema<'PageMeta'>;
}

interface ListQuery<Row> {
  readonly data: ListPage<Row> | undefined;
  readonly isPlaceholderData: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface Shown<Row> {
  readonly of: string;
  readonly rows: readonly Row[];
}

/** What a list shows while it refreshes. */
export interface SteadyList<Row> {
  readonly query: Omit<ListQuery<Row>, 'isPlaceholderData'>;
  /** Shows the rows that came or went meanwhile; null if there are none. */
  readonly showLatest: (() => void) | null;
}

/**
 * Keeps the rows of a list that refreshes in their places, so that nobody clicks on another row than intended: a row
 * shows its latest state, but rows come and go only when the user asks for it. `search` names the list: another one is
 * shown at once.
 */
export function useSteadyList<Row>(
  { data, isPlaceholderData, error, refetch }: ListQuery<Row>,
  search: object,
  idOf: (row: Row) => string | number,
): SteadyList<Row> {
  const [shown, setShown] = useState<Shown<Row> | null>(null);
  if (data === undefined || isPlaceholderData) return { query: { data, error, refetch }, showLatest: null };
  const of = JSON.stringify(search);
  const latest: Shown<Row> = { of, rows: data.data };
  if (shown === null || shown.of !== of || shown.rows.length === 0) {
    if (!isSame(shown, latest)) setShown(latest);
    return { query: { data, error, refetch }, showLatest: null };
  }
  const rows = updated(shown.rows, data.data, idOf);
  if (rows.some((row, index) => row !== shown.rows[index])) setShown({ of, rows });
  const ids = new Set(shown.rows.map(idOf));
  const isLatest = data.data.length === rows.length && data.data.every((row) => ids.has(idOf(row)));
  const query = { data: { ...data, data: rows }, error, refetch };
  return { query, showLatest: isLatest ? null : () => setShown(latest) };
}

function isSame<Row>(shown: Shown<Row> | null, latest: Shown<Row>): boolean {
  return shown !== null && shown.of === latest.of && shown.rows === latest.rows;
}

/** The rows in their places, each in its latest state. One that has left the list stays as it was. */
function updated<Row>(
  rows: readonly Row[],
  latest: readonly Row[],
  idOf: (row: Row) => string | number,
): readonly Row[] {
  const byId = new Map(latest.map((row) => [idOf(row), row]));
  return rows.map((row) => byId.get(idOf(row)) ?? row);
}
