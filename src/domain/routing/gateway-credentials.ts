import { CREDENTIAL_GATEWAY_SLUGS, isGatewaySlug, type GatewaySlug } from '../shared/gateway-slug';
import {
  CLIENT_ID_FIELD,
  SECRET_KEY_FIELD,
  type CredentialField,
  type CredentialValues,
} from './credential-fields';
import { checkSubAccountInformation } from './subaccount';
import type { SubAccountInformation } from './subaccount-information';
import { FieldErrorCollector, type Validated } from '../shared/validation';

/** One item of `PUT /company/gateways`. */
export interface GatewayCredentialInput {
  readonly gateway_slug: string;
  readonly secret_key?: string | null;
  readonly credentials?: Readonly<Record<string, string>> | null;
  readonly same_account?: boolean | null;
  readonly order?: number | null;
  readonly client_id?: string | null;
  readonly use_as_subaccount?: boolean | null;
  readonly subaccount_information?: SubAccountInformation | null;
}

/** A valid item. */
export interface GatewayCredentialChange {
  readonly slug: GatewaySlug;
  /** Null: a new credential comes last, an existing one keeps its order. */
  readonly order: number | null;
  readonly clientId: string | null;
  /** The company's own secret, or the sub-account that replaces it. */
  readonly account:
    | {
        readonly kind: 'secret';
        readonly values: CredentialValues;
        /** The company says that a new secret belongs to the account that it uses now. */
        readonly sameAccount: boolean;
      }
    | { readonly kind: 'sub_account'; readonly information: SubAccountInformation };
}

/** What a deployment and a company have at a gateway. */
export interface KnownGateway {
  readonly credentialFields: readonly CredentialField[];
  /** The client id of the company's present credential, which it keeps if the request names none. */
  readonly clientId: string | null;
}

/** Checks all items, so that one response names every error, and nothing is saved unless all are valid. */
export function checkGatewayCredentials(
  items: readonly GatewayCredentialInput[],
  today: string,
  known: (slug: GatewaySlug) => KnownGateway,
): Validated<GatewayCredentialChange[]> {
  const errors = new FieldErrorCollector();
  const changes: GatewayCredentialChange[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const path = `gateways.${index}`;
    const slug = item.gateway_slug;
    if (!isGatewaySlug(slug) || !CREDENTIAL_GATEWAY_SLUGS.includes(slug)) {
      errors.add(`${path}.gateway_slug`, `must be one of ${CREDENTIAL_GATEWAY_SLUGS.join(', ')}`);
      continue;
    }
    if (seen.has(slug)) errors.add(`${path}.gateway_slug`, 'is named twice in this request');
    seen.add(slug);
    const { credentialFields, clientId: keptClientId } = known(slug);
    const clientId = item.client_id === undefined ? keptClientId : item.client_id;
    checkFields({ ...item, client_id: clientId }, credentialFields, path, errors);
    const account = checkAccount(item, today, path, errors);
    if (account !== null) changes.push({ slug, order: item.order ?? null, clientId, account });
  }
  return errors.hasErrors ? { valid: false, errors: errors.errors } : { valid: true, value: changes };
}

/** Of a sub-account only the secret key is required: it is charged with the platform's credentials. */
function checkFields(
  item: GatewayCredentialInput,
  fields: readonly CredentialField[],
  path: string,
  errors: FieldErrorCollector,
): void {
  const { credentials, gateway_slug: slug } = item;
  const given: Readonly<Record<string, string | null | undefined>> = {
    ...credentials,
    [SECRET_KEY_FIELD]: item.secret_key,
    [CLIENT_ID_FIELD]: item.client_id,
  };
  for (const { name, required, shape } of fields) {
    const value = given[name];
    const isNeeded = required && (name === SECRET_KEY_FIELD || item.use_as_subaccount !== true);
    if (isNeeded && !value) errors.add(`${path}.${fieldPath(name)}`, `is required for ${slug}`);
    if (value && shape !== null && !shape.pattern.test(value))
      errors.add(`${path}.${fieldPath(name)}`, shape.rule);
  }
  for (const name of Object.keys(credentials ?? {})) {
    if (isProperty(name) || !fields.some((field) => field.name === name))
      errors.add(`${path}.credentials.${name}`, `is not a credential of ${slug}`);
  }
}

/** The place of a value in a credentials request. */
function fieldPath(name: string): string {
  return isProperty(name) ? name : `credentials.${name}`;
}

function isProperty(name: string): boolean {
  return name === SECRET_KEY_FIELD || name === CLIENT_ID_FIELD;
}

/** The information is always checked, but used only if the item asks for a sub-account. */
function checkAccount(
  item: GatewayCredentialInput,
  today: string,
  path: string,
  errors: FieldErrorCollector,
): GatewayCredentialChange['account'] | null {
  const informationPath = `${path}.subaccount_information`;
  const information = item.subaccount_information ?? null;
  if (information === null) {
    if (item.use_as_subaccount !== true) return ownAccount(item);
    errors.add(informationPath, 'is required when use_as_subaccount is true');
    return null;
  }
  const checked = checkSubAccountInformation(information, today, informationPath);
  if (!checked.valid) {
    errors.addAll(checked.errors);
    return null;
  }
  if (item.use_as_subaccount !== true) return ownAccount(item);
  return { kind: 'sub_account', information: checked.value };
}

function ownAccount(item: GatewayCredentialInput): GatewayCredentialChange['account'] {
  const values = { secretKey: item.secret_key ?? '', credentials: item.credentials ?? {} };
  return { kind: 'secret', values, sameAccount: item.same_account === true };
}

/**
 * The order of each requested credential: the requested one, else its current one, else after all others in the order of
 * the request (docs/decisions/gateway-accounts.md).
 */
export function assignOrders(
  current: ReadonlyMap<GatewaySlug, number>,
  requested: ReadonlyArray<{ readonly slug: GatewaySlug; readonly order: number | null }>,
): Map<GatewaySlug, number> {
  const orders = new Map(current);
  for (const { slug, order } of requested) {
    orders.set(slug, order ?? orders.get(slug) ?? Math.max(0, ...orders.values()) + 1);
  }
  return orders;
}
