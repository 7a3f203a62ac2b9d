interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface PathsDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const FORM = 'application/x-www-form-urlencoded';

/** A parameter of a form: a text, or a hash of parameters. */
export type Decoded = string | { [name: string]: Decoded };

/** The nested parameters of a form, decoded without the project's own code. */
export function decodeForm(text: string): Record<string, Decoded> {
  const root: Record<string, Decoded> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const names = key.split(/[[\]]+/).filter((name) => name !== '');
    let hash = root;
    for (const name of names.slice(0, -1)) hash = (hash[name] ??= {}) as Record<string, Decoded>;
    hash[names.at(-1) ?? ''] = value;
  }
  return root;
}

/** Where a request breaks its operation of an OpenAPI document: unknown, missing and malformed parameters. */
export function requestProblems(
  { paths }: PathsDocument,
  request: { readonly method: string; readonly url: string; readonly body?: string },
): string[] {
  const url = new URL(request.url);
  const found = Object.entries(paths).find(([template]) => matches(template, url.pathname));
  const operation = found?.[1][request.method.toLowerCase()];
  if (operation === undefined) return [`${request.method} ${url.pathname} is unknown`];
  const query = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
  const querySchema = {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema = {} }) => [name, schema])),
  };
  return [
    ...check(decodeForm(url.search.slice(1)), querySchema, 'query'),
    ...check(decodeForm(request.body ?? ''), operation.requestBody?.content[FORM]?.schema ?? {}, 'body'),
  ];
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  const fits = wanted.every((part, index) => part.startsWith('{') || part === given[index]);
  // `search` is a path of its own, not an id.
  return fits && wanted.length === given.length && !(template.endsWith('}') && path.endsWith('/search'));
}

function check(value: Decoded, schema: Schema, path: string): string[] {
  if (schema.anyOf !== undefined) {
    const attempts = schema.anyOf.map((each) => check(value, each, path));
    return attempts.some((problems) => problems.length === 0) ? [] : (attempts[0] ?? []);
  }
  if (schema.type === 'object') return checkHash(value, schema, path);
  if (schema.type === 'array') {
    if (typeof value === 'string') return [`${path} is no list`];
    return Object.entries(value).flatMap(([index, item]) => [
      ...(/^\d+$/.test(index) ? [] : [`${path}[${index}] is no item`]),
      ...check(item, schema.items ?? {}, `${path}[${index}]`),
    ]);
  }
  if (typeof value !== 'string') return schema.type === undefined ? [] : [`${path} is nested`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${path} is ${value}`];
  if (schema.type === 'integer') return /^-?\d+$/.test(value) ? [] : [`${path} is no integer`];
  return schema.type === 'boolean' && value !== 'true' && value !== 'false' ? [`${path} is no boolean`] : [];
}

function checkHash(
  value: Decoded,
  { properties, required = [], additionalProperties }: Schema,
  path: string,
) {
  if (typeof value === 'string') return [`${path} is no hash`];
  const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const schema = properties?.[name];
    if (schema !== undefined) return check(item, schema, `${path}.${name}`);
    if (typeof additionalProperties === 'object') return check(item, additionalProperties, `${path}.${name}`);
    return [`${path}.${name} is unknown`];
  });
  return [...missing, ...wrong];
}
