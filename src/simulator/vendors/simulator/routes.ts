import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { ScriptedOperation } from '../../scripts';
import {
  initiation,
  type MoneyOperation,
  ONE_OFF,
  type WireInitiation,
} from '../../../gateways/simulator/wire';

/** A parsed route under `/{gateway_slug}`. */
export type SimulatorCall =
  | { readonly kind: 'create'; readonly operation: 'charge' | 'authorize' }
  | {
      readonly kind: 'follow_up';
      readonly operation: Exclude<MoneyOperation, 'charge' | 'authorize'>;
      readonly chargeId: string;
    }
  | { readonly kind: 'create_recipient'; readonly operation: 'recipient' }
  | { readonly kind: 'verify'; readonly operation: 'verify' }
  | { readonly kind: 'show'; readonly operation: 'inquiry'; readonly chargeId: string }
  | { readonly kind: 'find'; readonly operation: 'inquiry'; readonly reference: string }
  | {
      readonly kind: 'list_changes';
      readonly operation: 'inquiry';
      readonly since: string;
      readonly after: string | null;
    }
  | { readonly kind: 'find_recipients'; readonly operation: 'inquiry'; readonly reference: string };

/** One authenticated request to a gateway, before validation. */
export interface SimulatorRequest {
  readonly gateway: GatewaySlug;
  readonly call: SimulatorCall;
  /** `accountIdOf` its secret key. */
  readonly account: string;
  readonly idempotencyKey: string | null;
  readonly body: unknown;
}

const FOLLOW_UPS: Readonly<Record<string, 'capture' | 'cancel' | 'refund'>> = {
  captures: 'capture',
  cancels: 'cancel',
  refunds: 'refund',
};

/**
 * The simulator's own protocol, under `/{gateway_slug}`:
 * `POST /charges`, `POST /authorizations`, `POST /charges/{id}/captures|cancels|refunds`, `GET /charges/{id}`,
 * `GET /charges?reference=`, `GET /charges?changed_since=`, `POST /verifications`, `POST /recipients`, `GET /recipients?reference=`. Null for an unknown route.
 */
export function routeCall(
  method: string,
  path: readonly string[],
  query: URLSearchParams,
): SimulatorCall | null {
  const [resource, id, action, ...rest] = path;
  if (rest.length > 0) return null;
  const reference = query.get('reference');
  if (method === 'GET') {
    if (resource === 'charges' && id !== undefined && action === undefined) {
      return { kind: 'show', operation: 'inquiry', chargeId: id };
    }
    const since = query.get('changed_since');
    if (resource === 'charges' && id === undefined && since !== null)
      return { kind: 'list_changes', operation: 'inquiry', since, after: query.get('after') };
    if (id !== undefined || reference === null) return null;
    if (resource === 'charges') return { kind: 'find', operation: 'inquiry', reference };
    if (resource === 'recipients') return { kind: 'find_recipients', operation: 'inquiry', reference };
    return null;
  }
  if (method !== 'POST') return null;
  if (id === undefined) {
    if (resource === 'charges') return { kind: 'create', operation: 'charge' };
    if (resource === 'authorizations') return { kind: 'create', operation: 'authorize' };
    if (resource === 'recipients') return { kind: 'create_recipient', operation: 'recipient' };
    if (resource === 'verifications') return { kind: 'verify', operation: 'verify' };
    return null;
  }
  const operation = FOLLOW_UPS[action ?? ''];
  if (resource !== 'charges' || operation === undefined) return null;
  return { kind: 'follow_up', operation, chargeId: id };
}

/** The fields that scripts and the request log use. They are read even from an invalid body. */
interface RequestSummary {
  readonly operation: ScriptedOperation;
  readonly amount: number | null;
  readonly reference: string | null;
  readonly initiation?: WireInitiation;
  readonly purchase?: object;
}

export function summarizeRequest(
  { call, body }: Pick<SimulatorRequest, 'call' | 'body'>,
  referenceOfCharge: (chargeId: string) => string | null,
): RequestSummary {
  const { operation } = call;
  if (call.kind === 'show') return { operation, amount: null, reference: referenceOfCharge(call.chargeId) };
  if (call.kind === 'list_changes') return { operation, amount: null, reference: null };
  if (call.kind === 'find' || call.kind === 'find_recipients') {
    return { operation, amount: null, reference: call.reference };
  }
  const fields: { amount?: unknown; reference?: unknown; initiation?: unknown; purchase?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  const parsed = initiation.default(ONE_OFF).safeParse(fields.initiation);
  return {
    operation,
    amount: typeof fields.amount === 'number' ? fields.amount : null,
    reference: typeof fields.reference === 'string' ? fields.reference : null,
    ...((call.kind === 'create' || call.kind === 'verify') && parsed.success && { initiation: parsed.data }),
    ...(typeof fields.purchase === 'object' && fields.purchase !== null && { purchase: fields.purchase }),
  };
}
