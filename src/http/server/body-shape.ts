/** What a JSON value may consist of according to its schema. */
export interface BodyShape {
  /** The properties of an object, by name; empty where any name is allowed. */
  readonly properties: ReadonlyMap<string, BodyShape>;
  /** The items of an array. */
  readonly items: BodyShape | null;
  /** Whether it is an amount in the minor unit of a currency (`x-unit: cents`). */
  readonly isAmount: boolean;
}

export interface SchemaObject {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly items?: SchemaObject;
  readonly allOf?: readonly SchemaObject[];
  readonly anyOf?: readonly SchemaObject[];
  readonly oneOf?: readonly SchemaObject[];
  readonly 'x-unit'?: string;
}

const ANYTHING: BodyShape = { properties: new Map(), items: null, isAmount: false };

/** The shape of a body with all its alternatives. A recursive schema ends at its first repetition. */
export function bodyShapeOf(document: object, schema: SchemaObject | undefined): BodyShape {
  return schema === undefined ? ANYTHING : shapeOf(document, schema, []);
}

/** The shape at a place such as `splits`, `0`, `amount`; null if the schema does not describe it. */
export function shapeAt(shape: BodyShape, segments: readonly string[]): BodyShape | null {
  const [first, ...rest] = segments;
  if (first === undefined) return shape;
  const child = shape.items ?? shape.properties.get(first);
  return child === undefined ? null : shapeAt(child, rest);
}

function shapeOf(document: object, schema: SchemaObject, parents: readonly string[]): BodyShape {
  const { $ref } = schema;
  if ($ref !== undefined) {
    if (parents.includes($ref)) return ANYTHING;
    return shapeOf(document, resolve(document, $ref), [...parents, $ref]);
  }
  const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  const own: BodyShape = {
    properties: new Map(
      Object.entries(properties).map(([name, property]) => [name, shapeOf(document, property, parents)]),
    ),
    items: items === undefined ? null : shapeOf(document, items, parents),
    isAmount: schema['x-unit'] === 'cents',
  };
  const parts = [...allOf, ...anyOf, ...oneOf].map((part) => shapeOf(document, part, parents));
  return parts.reduce(merged, own);
}

function merged(one: BodyShape, other: BodyShape): BodyShape {
  const properties = new Map(one.properties);
  for (const [name, shape] of other.properties) {
    const existing = properties.get(name);
    properties.set(name, existing === undefined ? shape : merged(existing, shape));
  }
  const items =
    one.items === null || other.items === null ? (one.items ?? other.items) : merged(one.items, other.items);
  return { properties, items, isAmount: one.isAmount || other.isAmount };
}

function resolve(document: object, reference: string): SchemaObject {
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
  if (found === undefined) throw new Error(`openapi.yaml has no ${reference}`);
  return found as SchemaObject;
}
