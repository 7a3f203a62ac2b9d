import type { SealedValue } from '../shared/sealed-value';

/**
 * A customer's own key, wrapped by the service's. Everything personal about the customer is sealed with it, wherever it is
 * stored, so that erasing this one value makes all of it unreadable.
 */
export interface CustomerKey {
  readonly companyId: number;
  readonly token: string;
  readonly sealed: SealedValue;
}

/** Seals and opens personal data. `record` names where a value is stored; elsewhere it does not open. */
export interface PersonalDataCipher {
  newKey(owner: { readonly companyId: number; readonly token: string }): Promise<SealedValue>;
  seal(key: CustomerKey, value: object, record: string): Promise<string>;
  /** @throws if the value was altered or belongs to another record or customer */
  open(key: CustomerKey, sealed: string, record: string): Promise<unknown>;
}

/** Null if the customer was erased, or nothing was sealed. */
export async function openPersonal<T>(
  cipher: PersonalDataCipher,
  key: CustomerKey | null,
  sealed: string | null,
  record: string,
): Promise<T | null> {
  return key === null || sealed === null ? null : ((await cipher.open(key, sealed, record)) as T);
}

/** Whose personal data a body shows, and where in it. */
export interface PersonalContent {
  readonly customerId: number;
  /** Null once the customer is erased. */
  readonly key: CustomerKey | null;
  readonly fields: readonly string[];
}

const CUSTOMER_FIELDS = ['name', 'email', 'document', 'phone', 'address'];

/** Dotted paths of the personal data in the bodies that are recorded or published. */
export const PERSONAL_FIELDS = {
  payment: [...CUSTOMER_FIELDS.map((field) => `customer.${field}`), 'card.holder_name'],
  subscription: CUSTOMER_FIELDS.map((field) => `data.customer.${field}`),
  customer: [...CUSTOMER_FIELDS, 'metadata'].map((field) => `data.${field}`),
  savedCard: ['data.holder_name'],
  evidence: ['data.text', 'data.file.name'],
  note: ['data.text'],
} as const;

/** The personal content of a body of this kind. */
export function personalContent(
  kind: keyof typeof PERSONAL_FIELDS,
  customer: { readonly id: number; readonly key: CustomerKey | null },
): PersonalContent {
  return { customerId: customer.id, key: customer.key, fields: PERSONAL_FIELDS[kind] };
}

/** The personal part of a body, by dotted path. */
export type PersonalPart = Readonly<Record<string, unknown>>;

/** Takes these fields out of a body and leaves null in their places. */
export function takePersonal(
  body: unknown,
  fields: readonly string[],
): { readonly rest: unknown; readonly personal: PersonalPart } {
  const found = fields
    .map((field) => [field, valueAt(body, field.split('.'))] as const)
    .filter(([, value]) => value !== undefined && value !== null);
  const rest = found.reduce<unknown>((left, [field]) => withValue(left, field.split('.'), null), body);
  return { rest, personal: Object.fromEntries(found) };
}

/** Puts them back. Without them the body shows null. */
export function putPersonal(rest: unknown, personal: PersonalPart | null): unknown {
  return Object.entries(personal ?? {}).reduce<unknown>(
    (body, [field, value]) => withValue(body, field.split('.'), value),
    rest,
  );
}

function valueAt(value: unknown, [name, ...others]: readonly string[]): unknown {
  if (name === undefined) return value;
  return isObject(value) ? valueAt(value[name], others) : undefined;
}

/** Keeps the order of the properties, so that a body put together again is the same text. */
function withValue(body: unknown, [name, ...others]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  return isObject(body) ? { ...body, [name]: withValue(body[name], others, value) } : body;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
