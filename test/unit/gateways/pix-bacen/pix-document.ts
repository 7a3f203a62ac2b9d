/** As much of JSON Schema as the Pix API uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Component extends Schema {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** The central bank's OpenAPI document. */
export interface PixDocument {
  readonly components: Readonly<Record<string, Readonly<Record<string, Component>>>> & {
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

type Hash = Readonly<Record<string, unknown>>;
const isHash = (value: unknown): value is Hash =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Checks values against the document, more strictly than it says: patterns match whole texts, and no property may be unknown. Some of
 * its patterns are regular expression literals, whose slashes are taken off.
 */
export class PixDocumentCheck {
  constructor(private readonly document: PixDocument) {}

  body(value: unknown, name: string): string[] {
    const schema = this.document.components.requestBodies?.[name]?.content?.['application/json']?.schema;
    return schema === undefined ? [`${name} is unknown`] : this.value(value, schema, name);
  }

  value(value: unknown, given: Schema, path: string): string[] {
    return [...this.check(value, given, path), ...this.unknown(value, [given], path)];
  }

  schema(name: string): Schema {
    return { $ref: `#/components/schemas/${name}` };
  }

  private check(value: unknown, given: Schema, path: string): string[] {
    const schema = this.resolve(given);
    const { type, enum: values, pattern, maxLength = Infinity, minimum = -Infinity } = schema;
    const problems = (schema.allOf ?? []).flatMap((each) => this.check(value, each, path));
    const { oneOf } = schema;
    if (
      oneOf !== undefined &&
      oneOf.filter((each) => this.check(value, each, path).length === 0).length !== 1
    )
      problems.push(`${path} is not one of ${oneOf.length} forms`);
    if (type === 'string' && typeof value !== 'string') problems.push(`${path} is no text`);
    if (type === 'integer' && !Number.isInteger(value)) problems.push(`${path} is no integer`);
    if (type === 'array' && !Array.isArray(value)) problems.push(`${path} is no list`);
    if (type === 'object' && !isHash(value)) problems.push(`${path} is no object`);
    if (values?.includes(value) === false) problems.push(`${path} is ${JSON.stringify(value)}`);
    if (typeof value === 'number' && value < minimum) problems.push(`${path} is too small`);
    if (typeof value === 'string') {
      const inner = pattern?.replace(/^\/(.*)\/$/, '$1') ?? '';
      if (pattern !== undefined && !new RegExp(`^(?:${inner})$`).test(value))
        problems.push(`${path} is ${value}`);
      if (value.length > maxLength) problems.push(`${path} is too long`);
    }
    return [...problems, ...this.checkHash(value, schema, path)];
  }

  private checkHash(
    value: unknown,
    { properties = {}, required = [], items }: Schema,
    path: string,
  ): string[] {
    if (Array.isArray(value))
      return items === undefined
        ? []
        : value.flatMap((each, index) => this.value(each, items, `${path}[${index}]`));
    if (!isHash(value)) return [];
    const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`);
    const wrong = Object.entries(properties).flatMap(([name, schema]) =>
      name in value ? this.check(value[name], schema, `${path}.${name}`) : [],
    );
    return [...missing, ...wrong];
  }

  /** The properties that none of the schemas, or of those that they join, has. */
  private unknown(value: unknown, schemas: readonly Schema[], path: string): string[] {
    if (!isHash(value)) return [];
    const joined = schemas.flatMap((each) => this.joined(each));
    return Object.entries(value).flatMap(([name, inner]) => {
      const named = joined.flatMap(({ properties }) => properties?.[name] ?? []);
      return named.length === 0
        ? [`${path}.${name} is unknown`]
        : this.unknown(inner, named, `${path}.${name}`);
    });
  }

  private joined(given: Schema): Schema[] {
    const schema = this.resolve(given);
    return [
      schema,
      ...[...(schema.allOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) => this.joined(each)),
    ];
  }

  private resolve(schema: Schema): Schema {
    const [kind = '', name = ''] = schema.$ref?.split('/').slice(-2) ?? [];
    return schema.$ref === undefined ? schema : (this.document.components[kind]?.[name] ?? {});
  }
}
