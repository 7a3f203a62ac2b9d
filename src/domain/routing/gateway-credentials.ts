import { CREDENTIAL_GATEWAY_SLUGS, isGatewaySlug, type GatewaySlug } from '../shared/gateway-slug';
import { checkSubAccountInformation } from './subaccount';
import type { SubAccountInformation } from './subaccount-information';
import { FieldErrorCollector, type Validated } from '../shared/validation';

/** One item of `PUT /company/gateways`. */
export interface GatewayCredentialInput {
  readonly gateway_slug: string;
  readonly secret_key: string;
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
  /** Undefined: an existing credential keeps its client id. */
  readonly clientId: string | null | undefined;
  /** The company's own secret, or the sub-account that replaces it. */
  readonly account:
    | { readonly kind: 'secret'; readonly secretKey: string }
    | { readonly kind: 'sub_account'; readonly information: SubAccountInformation };
}

/** Checks all items, so that one response names every error, and nothing is saved unless all are valid. */
export function checkGatewayCredentials(
  items: readonly GatewayCredentialInput[],
  today: string,
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
    const account = checkAccount(item, today, path, errors);
    if (account !== null)
      changes.push({ slug, order: item.order ?? null, clientId: item.client_id, account });
  }
  return errors.hasErrors ? { valid: false, errors: errors.errors } : { valid: true, value: changes };
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
    if (item.use_as_subaccount !== true) return { kind: 'secret', secretKey: item.secret_key };
    errors.add(informationPath, 'is required when use_as_subaccount is true');
    return null;
  }
  const checked = checkSubAccountInformation(information, today, informationPath);
  if (!checked.valid) {
    errors.addAll(checked.errors);
    return null;
  }
  if (item.use_as_subaccount !== true) return { kind: 'secret', secretKey: item.secret_key };
  return { kind: 'sub_account', information: checked.value };
}

/**
 * The order of each requested credential: the requested one, else its current one, else after all others in the order of
 * the request (docs/decisions/gateways.md).
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
