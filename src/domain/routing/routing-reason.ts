import { assertNever } from '../shared/assert-never';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { IgnoredFirstTryReason } from './ignored-first-try';
import type { AttemptedGateway, GatewayRoute, RoutableGateway } from './routing';
import type { MatchedRule } from './routing-rules';

type RuleName = Pick<MatchedRule, 'number' | 'name'>;

type PlacementReason =
  | { readonly code: 'after_declined' | 'after_failed' | 'after_not_received'; readonly gateway: GatewaySlug }
  /** The gateway never received the charge, so it is tried again. */
  | { readonly code: 'retried' | 'first_try' | 'all_circuits_open' }
  | { readonly code: 'rule'; readonly rule: RuleName }
  | { readonly code: 'share'; readonly rule: RuleName; readonly percent: number; readonly drawn: boolean }
  /** `order` is null for a gateway of the platform. `rule`: the matching rule, which does not name the gateway. */
  | { readonly code: 'order'; readonly order: number | null; readonly rule: RuleName | null }
  | { readonly code: 'circuits_open'; readonly gateways: readonly GatewaySlug[] };

/** Why gateways before it are passed over, which follows from the payment's request. */
export type PassedOverReason =
  | {
      readonly code: 'first_try_ignored';
      readonly gateway: GatewaySlug;
      readonly reason: IgnoredFirstTryReason;
    }
  /** Gateways that would take the payment with more data. */
  | { readonly code: 'lacking_data'; readonly gateways: readonly GatewaySlug[] };

/** One reason why a charge goes to a gateway, of which a page makes a text in any language. Without customer data. */
export type RoutingReason = PlacementReason | PassedOverReason;

/** The reasons for a route that follow from the routing itself, the most important one first. */
export function routingReasons(
  chosen: GatewayRoute,
  routed: readonly GatewayRoute[],
  attempted: readonly AttemptedGateway[],
): PlacementReason[] {
  const reasons = [
    failoverReason(chosen, attempted),
    placementReason(chosen),
    circuitReason(chosen, routed, attempted),
  ];
  return reasons.filter((reason) => reason !== null);
}

/**
 * The same as one text for operators: `order 1`, `rule 2 matched: visa over R$ 500`,
 * `next after gateway_1 declined; order 2`.
 */
export function explainRoute(
  chosen: GatewayRoute,
  routed: readonly GatewayRoute[],
  attempted: readonly AttemptedGateway[],
  /** Why `gateway_first_try` is not tried first; null if it is. */
  ignoredFirstTry: string | null = null,
  /** The gateways that lack data of the payment; null if there are none. */
  lackingData: string | null = null,
): string {
  const texts = [
    ...routingReasons(chosen, routed, attempted).map(describe),
    ...(ignoredFirstTry === null ? [] : [`gateway_first_try ignored: ${ignoredFirstTry}`]),
    ...(lackingData === null ? [] : [`passed over: ${lackingData}`]),
  ];
  return texts.join('; ');
}

/** The rule by which the gateway has its position, also if the rule does not name it; null if no rule matched. */
export function matchedRule({ placement }: GatewayRoute): MatchedRule | null {
  return placement.kind === 'first_try' ? null : placement.rule;
}

function failoverReason(
  { gateway }: GatewayRoute,
  attempted: readonly AttemptedGateway[],
): PlacementReason | null {
  const last = attempted.at(-1);
  if (last === undefined) return null;
  if (wasAttempted(gateway, attempted)) return { code: 'retried' };
  switch (last.status) {
    case 'declined':
      return { code: 'after_declined', gateway: last.gateway };
    case 'abandoned':
      return { code: 'after_not_received', gateway: last.gateway };
    default:
      return { code: 'after_failed', gateway: last.gateway };
  }
}

function placementReason({ gateway, placement }: GatewayRoute): PlacementReason {
  switch (placement.kind) {
    case 'first_try':
      return { code: 'first_try' };
    case 'listed':
      return { code: 'rule', rule: nameOf(placement.rule) };
    case 'share': {
      const { rule, percent, drawn } = placement;
      return { code: 'share', rule: nameOf(rule), percent, drawn };
    }
    case 'order': {
      const order = gateway.credentialId === null ? null : gateway.order;
      return { code: 'order', order, rule: placement.rule && nameOf(placement.rule) };
    }
    default:
      return assertNever(placement);
  }
}

function nameOf({ number, name }: MatchedRule): RuleName {
  return { number, name };
}

/** Open circuits only; closed ones are normal. */
function circuitReason(
  chosen: GatewayRoute,
  routed: readonly GatewayRoute[],
  attempted: readonly AttemptedGateway[],
): PlacementReason | null {
  if (chosen.gateway.circuitOpen) return { code: 'all_circuits_open' };
  const skipped = routed
    .filter(({ gateway, preference }) => gateway.circuitOpen && preference < chosen.preference)
    .filter(({ gateway }) => !wasAttempted(gateway, attempted))
    .map(({ gateway }) => gateway.slug);
  return skipped.length === 0 ? null : { code: 'circuits_open', gateways: skipped };
}

function wasAttempted({ slug }: RoutableGateway, attempted: readonly AttemptedGateway[]): boolean {
  return attempted.some(({ gateway }) => gateway === slug);
}

function describe(reason: PlacementReason): string {
  switch (reason.code) {
    case 'after_declined':
      return `next after ${reason.gateway} declined`;
    case 'after_failed':
      return `next after ${reason.gateway} failed`;
    case 'after_not_received':
      return `next after ${reason.gateway}, which never received the charge`;
    case 'retried':
      return 'retried: it never received the charge';
    case 'first_try':
      return 'gateway_first_try';
    case 'rule':
      return `rule ${reason.rule.number} matched: ${reason.rule.name}`;
    case 'share': {
      const { rule, percent, drawn } = reason;
      return `split of rule ${rule.number}: ${rule.name}: ${percent}%, ${drawn ? 'selected' : 'not selected'}`;
    }
    case 'order': {
      const order = reason.order === null ? 'platform gateway' : `order ${reason.order}`;
      if (reason.rule === null) return order;
      return `${order}, not named by rule ${reason.rule.number}: ${reason.rule.name}`;
    }
    case 'circuits_open':
      return `${reason.gateways.length === 1 ? 'circuit' : 'circuits'} of ${reason.gateways.join(', ')} open`;
    case 'all_circuits_open':
      return 'all remaining circuits are open';
    default:
      return assertNever(reason);
  }
}
