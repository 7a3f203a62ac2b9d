/** Parameters of a request. What is null or undefined is not sent. */
export type FormValue = string | number | boolean | readonly FormValue[] | FormHash | null | undefined;
export interface FormHash {
  readonly [name: string]: FormValue;
}

/** The body of a POST or a query, with nested names: `card[number]=..`, `expand[0]=..`. */
export function encodeForm(hash: FormHash): string {
  return new URLSearchParams(
    Object.entries(hash).flatMap(([name, value]) => fieldsOf(name, value)),
  ).toString();
}

function fieldsOf(name: string, value: FormValue): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, item]) => fieldsOf(`${name}[${key}]`, item));
}
