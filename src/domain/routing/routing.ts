import type { GatewaySlug } from '../shared/gateway-slug';
import { isPaidLater, type ChargeAttempt, type PaymentMethod } from '../payments/payment';
import type { PaymentOperation } from '../payments/payment-operation';
import { wholeTo, type Split } from '../payments/split';
import { cardLimit, type CardLimit, type CardNeeds, type CardSupport } from './card-support';
import { expiryLimit, type ExpiryLimit, type ExpirySupport, type PaymentExpiry } from './expiry-support';
import { lackedFeature, type AccountFeature } from './learned-limits';
import { missingFields, type DataRequirements, type RequirableField } from './required-data';
import { splitLimit, type SplitLimit, type SplitSupport } from './split-support';
import {
  drawShares,
  matchRule,
  type MatchedRule,
  type RoutedPayment,
  type RoutingRule,
} from './routing-rules';

/**
 * How a gateway lets us resolve a call of unknown outcome: `replay` answers a repeated idempotency key with the first
 * result, `lookup` finds a charge by our reference.
 */
export type IdempotencySupport = 'both' | 'lookup' | 'replay' | 'none';

export interface Capabilities extends SplitSupport, ExpirySupport, DataRequirements, CardSupport {
  readonly methods: readonly PaymentMethod[];
  readonly authorizeOnly: boolean;
  /** Whether it asks the issuer about a card without money: an authorization of zero. */
  readonly verifiesCards: boolean;
  readonly partialCapture: boolean;
  readonly partialRefund: boolean;
  /** The methods that can be refunded through the gateway. */
  readonly refundMethods: readonly PaymentMethod[];
  /** The methods whose unpaid charges the gateway does not cancel: they end by their expiry alone. None if omitted. */
  readonly uncancelable?: readonly PaymentMethod[];
  readonly subAccounts: boolean;
  readonly idempotency: IdempotencySupport;
  /** How long a repeated key returns the first result, in ms; 0 if keys are not replayed. */
  readonly replayWindowMs: number;
  /** How long after a request a lookup may not show its charge yet, in ms; 0 if it shows at once. */
  readonly lookupSettlesMs: number;
  /**
   * Whether a lookup that finds nothing proves that the gateway has no charge; true if omitted. Otherwise a charge whose answer
   * was lost and that no lookup finds waits for a person.
   */
  readonly provesAbsence?: boolean;
  /** The operations that the gateway may accept with `pending` and carry out, or refuse, later. */
  readonly pendingOperations: readonly PaymentOperation[];
  /** Whether the statements of an account can be fetched through the gateway's API; false if omitted. */
  readonly statements?: boolean;
  /** What a company can answer to a dispute through the gateway's API; nothing if omitted. */
  readonly disputeAnswers?: ReadonlyArray<'accept' | 'evidence'>;
  /**
   * What tells the state of a charge: `inquiry` if omitted. `signed_callback`: the gateway answers no inquiries, and its
   * callbacks, whose signature must cover their body, are facts.
   */
  readonly truth?: 'inquiry' | 'signed_callback';
}

/** Whether the gateway cancels a pix or boleto that nobody has paid yet. */
export function cancelsUnpaid(
  { uncancelable = [] }: Pick<Capabilities, 'uncancelable'>,
  method: PaymentMethod,
): boolean {
  return !uncancelable.includes(method);
}

/** What a gateway must support to process a payment. */
export interface RoutingRequirements extends CardNeeds {
  readonly authorizeOnly: boolean;
  readonly currency: string;
  readonly splits: readonly Split[];
  /** Null for a card. */
  readonly expiry: PaymentExpiry | null;
  /** The fields that a gateway may insist on and that the payment has. */
  readonly given: readonly RequirableField[];
}

export interface RoutingRequest extends RoutingRequirements, RoutedPayment {
  readonly gatewayFirstTry: GatewaySlug | null;
}

/** One enabled gateway of a company. */
export interface RoutableGateway {
  readonly slug: GatewaySlug;
  readonly order: number;
  /** Null for the platform's gateways. */
  readonly credentialId: number | null;
  readonly capabilities: Capabilities;
  readonly circuitOpen: boolean;
  /** The company's active recipients at this gateway. */
  readonly recipientIds: readonly string[];
  /** What the company's account lacks, by the gateway's answer to a recent charge (`LearnedLimit`). */
  readonly lackedFeatures: readonly AccountFeature[];
  /** Set if the credential is a sub-account, which receives each charge whole. A payment's own splits replace that. */
  readonly subAccount: { readonly recipientId: string } | null;
  /** Whether the account there has given a token for the payment's card; false if omitted. */
  readonly hasCardToken?: boolean;
}

/** Why a gateway has its position in the order. */
export type RoutePlacement =
  | { readonly kind: 'first_try' }
  | { readonly kind: 'listed'; readonly rule: MatchedRule }
  | {
      readonly kind: 'share';
      readonly rule: MatchedRule;
      readonly percent: number;
      readonly drawn: boolean;
    }
  /** By `order`. `rule`: the matching rule, which does not name this gateway. */
  | { readonly kind: 'order'; readonly rule: MatchedRule | null };

/** A gateway that supports the payment, with its position. */
export interface GatewayRoute<G extends RoutableGateway = RoutableGateway> {
  readonly gateway: G;
  readonly placement: RoutePlacement;
  /** Its position from 0, ignoring open circuits. */
  readonly preference: number;
}

/** A charge attempt. `abandoned`: the gateway certainly never received it. */
export type AttemptedGateway = Pick<ChargeAttempt, 'gateway' | 'status'>;

/** What a payment needs that a gateway does not support. */
export type UnsupportedFeature =
  | `account_${AccountFeature}`
  | 'method'
  | 'authorize_only'
  | 'currency'
  | 'recipients'
  | 'required_data'
  | CardLimit
  | SplitLimit
  | ExpiryLimit;

/** Null if the gateway supports the payment. */
export function unsupportedFeature(
  gateway: Pick<
    RoutableGateway,
    'capabilities' | 'recipientIds' | 'subAccount' | 'lackedFeatures' | 'hasCardToken'
  >,
  request: RoutingRequirements,
): UnsupportedFeature | null {
  const { capabilities } = gateway;
  if (!capabilities.methods.includes(request.paymentMethod)) return 'method';
  if (request.authorizeOnly && !capabilities.authorizeOnly) return 'authorize_only';
  if (isPaidLater(request.paymentMethod) && request.currency !== 'BRL') return 'currency';
  const splits = splitsAt(gateway, request);
  const limit =
    cardLimit(capabilities, request, gateway.hasCardToken) ??
    expiryLimit(capabilities, request.expiry) ??
    splitLimit(capabilities, splits);
  if (limit !== null) return limit;
  const { paymentMethod } = request;
  const lacked = lackedFeature(gateway.lackedFeatures, { paymentMethod, isSplit: splits.length > 0 });
  if (lacked !== null) return `account_${lacked}`;
  return missingRecipients(gateway, request) ?? missingData(capabilities, request);
}

/** The last reason: a gateway with it would take the payment if the request gave what is missing. */
function missingData(
  capabilities: Capabilities,
  { paymentMethod, given }: RoutingRequirements,
): 'required_data' | null {
  return missingFields(capabilities, paymentMethod, given).length === 0 ? null : 'required_data';
}

function splitsAt(
  { subAccount }: Pick<RoutableGateway, 'subAccount'>,
  { splits }: RoutingRequirements,
): readonly Split[] {
  return splits.length > 0 || subAccount === null ? splits : [wholeTo(subAccount.recipientId)];
}

function missingRecipients(
  { recipientIds }: Pick<RoutableGateway, 'recipientIds'>,
  { splits }: RoutingRequirements,
): 'recipients' | null {
  return splits.every(({ recipientId }) => recipientIds.includes(recipientId)) ? null : 'recipients';
}

/** The gateways that support the payment, unordered. */
export function candidatesFor<G extends RoutableGateway>(
  request: RoutingRequirements,
  gateways: readonly G[],
): G[] {
  return gateways.filter((gateway) => unsupportedFeature(gateway, request) === null);
}

/**
 * The gateways that support the payment, each once, in the order to try them: `gateway_first_try`, then the targets of the
 * first matching rule, then by `order`; gateways with an open circuit last (docs/decisions/gateways.md).
 */
export function routeGateways<G extends RoutableGateway>(
  request: RoutingRequest,
  rules: readonly RoutingRule[],
  gateways: readonly G[],
): GatewayRoute<G>[] {
  const candidates = candidatesFor(request, gateways).sort(byOrder);
  const bySlug = new Map(candidates.map((gateway) => [gateway.slug, gateway]));
  const placements = new Map<GatewaySlug, RoutePlacement>();
  for (const [slug, placement] of rankedPreferences(request, rules, candidates)) {
    if (!placements.has(slug)) placements.set(slug, placement);
  }
  const routes = [...placements].flatMap(([slug, placement]) => {
    const gateway = bySlug.get(slug);
    return gateway === undefined ? [] : [{ gateway, placement }];
  });
  return routes
    .map((route, preference) => ({ ...route, preference }))
    .sort((a, b) => Number(a.gateway.circuitOpen) - Number(b.gateway.circuitOpen));
}

/** All preferences for a gateway, the strongest first. */
function rankedPreferences(
  request: RoutingRequest,
  rules: readonly RoutingRule[],
  candidates: readonly RoutableGateway[],
): Array<readonly [GatewaySlug, RoutePlacement]> {
  const { gatewayFirstTry: first } = request;
  const rule = matchRule(rules, request);
  const slugs = candidates.map(({ slug }) => slug);
  return [
    ...(first === null ? [] : [[first, { kind: 'first_try' }] as const]),
    ...(rule === null ? [] : rulePreferences(rule, request, slugs)),
    ...slugs.map((slug) => [slug, { kind: 'order', rule }] as const),
  ];
}

function rulePreferences(
  rule: MatchedRule,
  { transactionId }: RoutingRequest,
  candidates: readonly GatewaySlug[],
): Array<readonly [GatewaySlug, RoutePlacement]> {
  const { target } = rule;
  if (target.kind === 'list') return target.gateways.map((slug) => [slug, { kind: 'listed', rule }] as const);
  const supported = target.shares.filter(({ gateway }) => candidates.includes(gateway));
  return drawShares(supported, transactionId).map(
    ({ gateway, percent, drawn }) => [gateway, { kind: 'share', rule, percent, drawn }] as const,
  );
}

/** Equal orders are sorted by credential, the platform's gateways last. */
function byOrder(a: RoutableGateway, b: RoutableGateway): number {
  return (
    a.order - b.order ||
    (a.credentialId ?? Infinity) - (b.credentialId ?? Infinity) ||
    a.slug.localeCompare(b.slug)
  );
}

/**
 * The next gateway to try. Gateways already attempted are left out, except those that never received the charge: they
 * are retried after all others.
 */
export function nextRoute<R extends GatewayRoute>(
  routed: readonly R[],
  attempted: readonly AttemptedGateway[],
): R | null {
  const [notReceived, final] = [new Set<GatewaySlug>(), new Set<GatewaySlug>()];
  for (const { gateway, status } of attempted) (status === 'abandoned' ? notReceived : final).add(gateway);
  const remaining = routed.filter(({ gateway }) => !final.has(gateway.slug));
  return remaining.find(({ gateway }) => !notReceived.has(gateway.slug)) ?? remaining[0] ?? null;
}
