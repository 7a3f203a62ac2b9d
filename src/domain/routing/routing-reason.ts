import { assertNever } from '../shared/assert-never';
import type { Place, Route, RoutableGateway, RoutingRequest, TriedGateway } from './routing';
import type { MatchedRule } from './routing-rules';

/**
 * Why a charge goes to this gateway and no other, in words for people: `order 1`, `rule 2 matched: visa over R$ 500`,
 * `next after gateway_1 declined; order 2`. It holds nothing of the customer.
 */
export function explainRoute(
  chosen: Route,
  routed: readonly Route[],
  tried: readonly TriedGateway[],
  { gatewayFirstTry }: Pick<RoutingRequest, 'gatewayFirstTry'>,
): string {
  const reasons = [
    afterWhat(chosen, tried),
    describePlace(chosen),
    circuits(chosen, routed, tried),
    passedOver(gatewayFirstTry, routed, tried),
  ];
  return reasons.filter((reason) => reason !== null).join('; ');
}

function afterWhat({ gateway }: Route, tried: readonly TriedGateway[]): string | null {
  const last = tried.at(-1);
  if (last === undefined) return null;
  if (tried.some((other) => other.gateway === gateway.slug)) return 'once more: it never received the charge';
  switch (last.status) {
    case 'declined':
      return `next after ${last.gateway} declined`;
    case 'abandoned':
      return `next after ${last.gateway}, which never received the charge`;
    default:
      return `next after ${last.gateway} failed`;
  }
}

function describePlace({ gateway, place }: Route): string {
  switch (place.kind) {
    case 'first_try':
      return 'gateway_first_try';
    case 'listed':
      return `rule ${named(place.rule, ' matched: ')}`;
    case 'share':
      return `split of rule ${named(place.rule, ': ')}: ${describeShare(place)}`;
    case 'order': {
      const order = gateway.credentialId === null ? 'platform gateway' : `order ${gateway.order}`;
      return place.rule === null ? order : `${order}, not named by rule ${named(place.rule, ': ')}`;
    }
    default:
      return assertNever(place);
  }
}

function named({ number, name }: MatchedRule, link: string): string {
  return `${number}${link}${name}`;
}

function describeShare({ percent, drawn }: Extract<Place, { kind: 'share' }>): string {
  return drawn ? `${percent}% here` : `${percent}% here, drawn for another`;
}

/** Closed circuits are the rule, and say nothing. */
function circuits(chosen: Route, routed: readonly Route[], tried: readonly TriedGateway[]): string | null {
  if (chosen.gateway.circuitOpen) return 'its circuit is open, and so is every other left';
  const waiting = routed
    .filter(({ gateway, preference }) => gateway.circuitOpen && preference < chosen.preference)
    .filter(({ gateway }) => !wasTried(gateway, tried))
    .map(({ gateway }) => gateway.slug);
  if (waiting.length === 0) return null;
  return `${waiting.length === 1 ? 'circuit' : 'circuits'} of ${waiting.join(', ')} open`;
}

/** Said once, where it mattered. */
function passedOver(
  first: RoutingRequest['gatewayFirstTry'],
  routed: readonly Route[],
  tried: readonly TriedGateway[],
): string | null {
  if (first === null || tried.length > 0 || routed.some(({ gateway }) => gateway.slug === first)) return null;
  return `gateway_first_try ${first} cannot carry it`;
}

function wasTried({ slug }: RoutableGateway, tried: readonly TriedGateway[]): boolean {
  return tried.some(({ gateway }) => gateway === slug);
}
