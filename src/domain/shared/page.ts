/** One page of a list: `number` from 1. */
export interface PageRequest {
  readonly number: number;
  readonly size: number;
}

/** One page of rows and the total number of rows. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

export function pageBounds({ number, size }: PageRequest): {
  readonly limit: number;
  readonly offset: number;
} {
  return { limit: size, offset: (number - 1) * size };
}
