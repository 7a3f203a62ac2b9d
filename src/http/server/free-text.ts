import { containsCardNumber } from '../../domain/customers/card-number';
import type { BrokenRule } from './validation-messages';

/** A JSON schema of the contract, as far as it says where a request has text. */
export interface TextSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, TextSchema>>;
  readonly additionalProperties?: boolean | TextSchema;
  readonly items?: TextSchema;
  readonly anyOf?: readonly TextSchema[];
  readonly oneOf?: readonly TextSchema[];
  readonly allOf?: readonly TextSchema[];
  /** The text is a card number itself, is never stored, or is a number of another kind: a document, a phone, an id. */
  readonly 'x-card-number'?: 'allowed';
}

/**
 * Finds card numbers in a value; reports the JSON pointers of the texts that have one, or of the object if a key has one:
 * an answer must not repeat the key.
 */
export type CardNumberFinder = (value: unknown, pointer: string, report: (pointer: string) => void) => void;

/** Adds a broken rule for each of these places, in place of others of their content, whose names may be card numbers. */
export function withCardNumbers(
  rules: readonly BrokenRule[],
  pointers: readonly string[],
): readonly BrokenRule[] {
  const others = rules.filter(({ path }) => !pointers.some((pointer) => path.startsWith(`${pointer}/`)));
  const found = [...new Set(pointers)].map((path) => ({ path, message: '', errorCode: 'cardNumber' }));
  return [...others, ...found];
}

/** Formats that text with a card number does not have. */
const STRICT_FORMATS: ReadonlySet<string> = new Set(['uuid', 'date', 'date-time']);

/**
 * Finds card numbers in the free text of a body with this schema. Properties that the contract does not define are not
 * stored, so they are not checked.
 */
export function cardNumberFinder(
  schema: TextSchema | undefined,
  resolve: (reference: string) => TextSchema,
): CardNumberFinder {
  if (schema === undefined) return findNothing;
  if (schema.$ref !== undefined) return cardNumberFinder(resolve(schema.$ref), resolve);
  if (schema['x-card-number'] === 'allowed') return findNothing;
  const finderOf = (part: TextSchema) => cardNumberFinder(part, resolve);
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return together([
    ...alternatives.map(finderOf),
    ...(isFreeText(schema) ? [inText] : []),
    ...(schema.items === undefined ? [] : [inItems(finderOf(schema.items))]),
    inProperties(Object.entries(schema.properties ?? {}).map(([name, part]) => [name, finderOf(part)])),
    inOwnKeys(schema.additionalProperties, finderOf),
  ]);
}

const findNothing: CardNumberFinder = () => undefined;

function together(finders: readonly CardNumberFinder[]): CardNumberFinder {
  const useful = finders.filter((find) => find !== findNothing);
  if (useful.length === 0) return findNothing;
  return (value, pointer, report) => useful.forEach((find) => find(value, pointer, report));
}

function isFreeText({ type, format, enum: values }: TextSchema): boolean {
  return [type].flat().includes('string') && values === undefined && !STRICT_FORMATS.has(format ?? '');
}

const inText: CardNumberFinder = (value, pointer, report) => {
  if (typeof value === 'string' && containsCardNumber(value)) report(pointer);
};

function inItems(find: CardNumberFinder): CardNumberFinder {
  if (find === findNothing) return findNothing;
  return (value, pointer, report) => {
    if (Array.isArray(value)) value.forEach((item, index) => find(item, join(pointer, index), report));
  };
}

function inProperties(all: ReadonlyArray<readonly [name: string, find: CardNumberFinder]>): CardNumberFinder {
  const useful = all.filter(([, find]) => find !== findNothing);
  if (useful.length === 0) return findNothing;
  return (value, pointer, report) => {
    if (!isObject(value)) return;
    for (const [name, find] of useful) find(value[name], join(pointer, name), report);
  };
}

/** For an object with keys of the client's choice, such as `metadata`. */
function inOwnKeys(
  values: TextSchema['additionalProperties'],
  finderOf: (part: TextSchema) => CardNumberFinder,
): CardNumberFinder {
  if (values === undefined || values === false) return findNothing;
  const find = values === true ? inAnything : finderOf(values);
  return (value, pointer, report) => {
    if (!isObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if (containsCardNumber(key)) report(pointer);
      else find(item, join(pointer, key), report);
    }
  };
}

/** For a value without a schema: numbers count too, because 16 digits fit into one. */
const inAnything: CardNumberFinder = (value, pointer, report) => {
  if (typeof value === 'number') return inText(String(value), pointer, report);
  inText(value, pointer, report);
  inItems(inAnything)(value, pointer, report);
  inOwnKeys(true, () => inAnything)(value, pointer, report);
};

function join(pointer: string, segment: string | number): string {
  return `${pointer}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
