interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

export interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

type Hash = Readonly<Record<string, unknown>>;
const isHash = (value: unknown): value is Hash =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a value breaks a schema of an OpenAPI document: unknown and missing properties, wrong types and enums. */
export class OpenApiCheck {
  constructor(private readonly document: OpenApi) {}

  problems(value: unknown, schemaName: string): string[] {
    return this.check(value, { $ref: `#/components/schemas/${schemaName}` }, schemaName);
  }

  private check(value: unknown, given: Schema, path: string): string[] {
    const schema = this.resolve(given);
    if (value === null) return schema.nullable === true ? [] : [`${path} is null`];
    if (schema.anyOf !== undefined) {
      const attempts = schema.anyOf.map((each) => this.check(value, each, path));
      return attempts.some((problems) => problems.length === 0) ? [] : (attempts.at(-1) ?? []);
    }
    if (schema.enum !== undefined && !schema.enum.includes(value))
      return [`${path} is ${JSON.stringify(value)}`];
    switch (schema.type) {
      case 'object':
        return isHash(value) ? this.checkHash(value, schema, path) : [`${path} is no object`];
      case 'array':
        return Array.isArray(value)
          ? value.flatMap((item, index) => this.check(item, schema.items ?? {}, `${path}[${index}]`))
          : [`${path} is no array`];
      case 'integer':
        return Number.isInteger(value) ? [] : [`${path} is no integer`];
      case 'string':
      case 'boolean':
      case 'number':
        return typeof value === schema.type ? [] : [`${path} is no ${schema.type}`];
      default:
        return [];
    }
  }

  private checkHash(value: Hash, { properties, required = [], additionalProperties }: Schema, path: string) {
    const missing = required
      .filter((name) => value[name] === undefined)
      .map((name) => `${path}.${name} is missing`);
    if (properties === undefined) return missing;
    const wrong = Object.entries(value).flatMap(([name, item]) => {
      const schema = properties[name];
      if (schema !== undefined) return this.check(item, schema, `${path}.${name}`);
      return additionalProperties === true ? [] : [`${path}.${name} is unknown`];
    });
    return [...missing, ...wrong];
  }

  private resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.document.components.schemas[name] ?? {});
  }
}

/** Where two JSON values differ in their keys or types. Null fits everything. `extra` keys may be in one of them only. */
export function shapeDifferences(a: unknown, b: unknown, extra: ReadonlySet<string>, path = ''): string[] {
  if (a === null || b === null) return [];
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === 0 || b.length === 0 ? [] : shapeDifferences(a[0], b[0], extra, `${path}[]`);
  }
  if (!isHash(a) || !isHash(b)) return typeof a === typeof b ? [] : [`${path}: ${typeof a}, ${typeof b}`];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) => {
    if (extra.has(name)) return [];
    const here = path === '' ? name : `${path}.${name}`;
    if (!(name in a)) return [`${here}: only in the second`];
    return name in b ? shapeDifferences(a[name], b[name], extra, here) : [`${here}: only in the first`];
  });
}
