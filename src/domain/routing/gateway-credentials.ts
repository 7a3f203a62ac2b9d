import { CREDENTIAL_GATEWAY_SLUGS, isGatewaySlug, type GatewaySlug } from '../shared/gateway-slug';
import { checkSubAccountInformation } from './subaccount';
import type { SubAccountInformation } from './subaccount-information';
import { FaultCollector, type Validated } from '../shared/validation';

/** One item of `PUT /company/gateways`, specification 4.3. */
export interface GatewayCredentialInput {
  readonly gateway_slug: string;
  readonly secret_key: string;
  readonly order?: number | null;
  readonly client_id?: string | null;
  readonly use_as_subaccount?: boolean | null;
  readonly subaccount_information?: SubAccountInformation | null;
}

/** An item that passed. */
export interface GatewayCredentialChange {
  readonly slug: GatewaySlug;
  /** Null: a new credential comes last, a known one keeps its place. */
  readonly order: number | null;
  /** Undefined: a known one keeps what it has. */
  readonly clientId: string | null | undefined;
  /** The company's own secret, or the recipient that takes its place. */
  readonly account:
    | { readonly kind: 'secret'; readonly secretKey: string }
    | { readonly kind: 'sub_account'; readonly information: SubAccountInformation };
}

/** Checks all items, so that one answer names every fault and nothing is saved unless all are right. */
export function checkGatewayCredentials(
  items: readonly GatewayCredentialInput[],
  today: string,
): Validated<GatewayCredentialChange[]> {
  const faults = new FaultCollector();
  const changes: GatewayCredentialChange[] = [];
  const named = new Set<string>();
  for (const [index, item] of items.entries()) {
    const path = `gateways.${index}`;
    const slug = item.gateway_slug;
    if (!isGatewaySlug(slug) || !CREDENTIAL_GATEWAY_SLUGS.includes(slug)) {
      faults.add(`${path}.gateway_slug`, `must be one of ${CREDENTIAL_GATEWAY_SLUGS.join(', ')}`);
      continue;
    }
    if (named.has(slug)) faults.add(`${path}.gateway_slug`, 'is named twice in this request');
    named.add(slug);
    const account = checkAccount(item, today, path, faults);
    if (account !== null)
      changes.push({ slug, order: item.order ?? null, clientId: item.client_id, account });
  }
  return faults.found ? { valid: false, errors: faults.errors } : { valid: true, value: changes };
}

/** Information is checked whenever it is given, and used when the item asks for a sub-account. */
function checkAccount(
  item: GatewayCredentialInput,
  today: string,
  path: string,
  faults: FaultCollector,
): GatewayCredentialChange['account'] | null {
  const informationPath = `${path}.subaccount_information`;
  const information = item.subaccount_information ?? null;
  if (information === null) {
    if (item.use_as_subaccount !== true) return { kind: 'secret', secretKey: item.secret_key };
    faults.add(informationPath, 'is required when use_as_subaccount is true');
    return null;
  }
  const checked = checkSubAccountInformation(information, today, informationPath);
  if (!checked.valid) {
    faults.addAll(checked.errors);
    return null;
  }
  if (item.use_as_subaccount !== true) return { kind: 'secret', secretKey: item.secret_key };
  return { kind: 'sub_account', information: checked.value };
}

/**
 * The place of each credential in the request: the one asked for, else the one it has, else after all others
 * (decisions, section 5), in the order of the request.
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
