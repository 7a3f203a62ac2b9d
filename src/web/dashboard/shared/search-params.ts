/** Unvalidated query parameters of the URL. */
export type RawSearch = Readonly<Record<string, unknown>>;

export function textOf(search: RawSearch, name: string, maxLength = 255): string | undefined {
  const value = search[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= maxLength ? value : undefined;
}

export function wholeNumberOf(search: RawSearch, name: string, min = 0): number | undefined {
  const value = Number(search[name] ?? Number.NaN);
  return Number.isSafeInteger(value) && value >= min ? value : undefined;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

export function dateOf(search: RawSearch, name: string): string | undefined {
  const value = textOf(search, name);
  return value !== undefined && DATE.test(value) ? value : undefined;
}

export function oneOf<Value extends string>(
  search: RawSearch,
  name: string,
  values: readonly Value[],
): Value | undefined {
  return values.find((value) => value === search[name]);
}

/** Removes undefined values, so that URLs stay short. */
export function omitUndefined<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
}

export interface PageSearch {
  readonly page?: number;
}

/** The page number; the first page is left out of the URL. */
export function pageOf(search: RawSearch): PageSearch {
  return omitUndefined({ page: wholeNumberOf(search, 'page', 2) });
}
