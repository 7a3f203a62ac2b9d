import { assertNever } from '../shared/assert-never';
import type { RoutePlacement, GatewayRoute, RoutableGateway, AttemptedGateway } from './routing';
import type { MatchedRule } from './routing-rules';

/**
 * Why a charge goes to this gateway, for operators: `order 1`, `rule 2 matched: visa over R$ 500`,
 * `next after gateway_1 declined; order 2`. It contains no customer data.
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
  const reasons = [
    describeFailover(chosen, attempted),
    describePlacement(chosen),
    describeCircuits(chosen, routed, attempted),
    ignoredFirstTry === null ? null : `gateway_first_try ignored: ${ignoredFirstTry}`,
    lackingData === null ? null : `passed over: ${lackingData}`,
  ];
  return reasons.filter((reason) => reason !== null).join('; ');
}

/** The rule by which the gateway has its position, also if the rule does not name it; null if no rule matched. */
export function matchedRule({ placement }: GatewayRoute): MatchedRule | null {
  return placement.kind === 'first_try' ? null : placement.rule;
}

function describeFailover({ gateway }: GatewayRoute, attempted: readonly AttemptedGateway[]): string | null {
  const last = attempted.at(-1);
  if (last === undefined) return null;
  if (attempted.some((other) => other.gateway === gateway.slug))
    return 'retried: it never received the charge';
  switch (last.status) {
    case 'declined':
      return `next after ${last.gateway} declined`;
    case 'abandoned':
      return `next after ${last.gateway}, which never received the charge`;
    default:
      return `next after ${last.gateway} failed`;
  }
}

function describePlacement({ gateway, placement }: GatewayRoute): string {
  switch (placement.kind) {
    case 'first_try':
      return 'gateway_first_try';
    case 'listed':
      return `rule ${ruleLabel(placement.rule, ' matched: ')}`;
    case 'share':
      return `split of rule ${ruleLabel(placement.rule, ': ')}: ${describeShare(placement)}`;
    case 'order': {
      const order = gateway.credentialId === null ? 'platform gateway' : `order ${gateway.order}`;
      return placement.rule === null
        ? order
        : `${order}, not named by rule ${ruleLabel(placement.rule, ': ')}`;
    }
    default:
      return assertNever(placement);
  }
}

function ruleLabel({ number, name }: MatchedRule, separator: string): string {
  return `${number}${separator}${name}`;
}

function describeShare({ percent, drawn }: Extract<RoutePlacement, { kind: 'share' }>): string {
  return drawn ? `${percent}%, selected` : `${percent}%, not selected`;
}

/** Open circuits only; closed ones are normal. */
function describeCircuits(
  chosen: GatewayRoute,
  routed: readonly GatewayRoute[],
  attempted: readonly AttemptedGateway[],
): string | null {
  if (chosen.gateway.circuitOpen) return 'all remaining circuits are open';
  const skipped = routed
    .filter(({ gateway, preference }) => gateway.circuitOpen && preference < chosen.preference)
    .filter(({ gateway }) => !wasAttempted(gateway, attempted))
    .map(({ gateway }) => gateway.slug);
  if (skipped.length === 0) return null;
  return `${skipped.length === 1 ? 'circuit' : 'circuits'} of ${skipped.join(', ')} open`;
}

function wasAttempted({ slug }: RoutableGateway, attempted: readonly AttemptedGateway[]): boolean {
  return attempted.some(({ gateway }) => gateway === slug);
}
