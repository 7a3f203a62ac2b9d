/** Parameters of a request. What is null or undefined is not sent. */
type RequestParam = string | number | boolean | readonly RequestParam[] | RequestParams | null | undefined;
export interface RequestParams {
  readonly [name: string]: RequestParam;
}

/** The body of a POST or a query, with nested names: `card[number]=..`, `expand[0]=..`. */
export function encodeForm(hash: RequestParams): string {
  return new URLSearchParams(
    Object.entries(hash).flatMap(([name, value]) => fieldsOf(name, value)),
  ).toString();
}

function fieldsOf(name: string, value: RequestParam): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, item]) => fieldsOf(`${name}[${key}]`, item));
}
