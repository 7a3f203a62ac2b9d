import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { SimulatorCommit } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { CallSummary } from '../adapter';

/** Pagar.me's objects, with the names of the wire. */
export type PagarmeObject = Readonly<Record<string, unknown>>;

/** A request below `/core/v5`. */
export interface PagarmeRequest {
  readonly gateway: GatewaySlug;
  readonly method: string;
  /** The segments after `core/v5`, the first in lower case: the official SDK also writes `/Charges`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Undefined without a body, or if it is not JSON. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

/** What one request asks for. */
export interface PagarmeEndpoint {
  readonly summary: Omit<CallSummary, 'idempotencyKey'>;
  /** The answer to an invalid request, or the work that it starts. */
  readonly check: (account: string) => SimulatorResponse | PagarmeWork;
}

export interface PagarmeWork {
  readonly reference: string;
  /** The core's id of the charge that it may change. */
  readonly chargeId: string | null;
  readonly run: (context: SimulatorRequestContext) => PagarmeResult;
}

/** `shown` is the commit that the answer shows: another one for a `duplicate_id` script. */
export type PagarmeResult =
  | { readonly commit: SimulatorCommit; readonly shown: SimulatorCommit }
  | { readonly response: SimulatorResponse };

/** A request that belongs to no payment. */
export const NO_PAYMENT: PagarmeEndpoint['summary'] = { operation: null, amount: null, reference: null };

export function isWork(checked: SimulatorResponse | PagarmeWork): checked is PagarmeWork {
  return 'run' in checked;
}

/** Work that reads or that changes no charge. */
export function reply(respond: (context: SimulatorRequestContext) => SimulatorResponse): PagarmeWork {
  return { reference: '', chargeId: null, run: (context) => ({ response: respond(context) }) };
}

/** The context with data that the operation stores. */
export function withData(context: SimulatorRequestContext, data: object): SimulatorRequestContext {
  return { ...context, wireData: { ...context.wireData, ...data } };
}

/** `2022-06-29T20:23:42Z`, as https://docs.pagar.me/reference/exemplo-de-webhook-1 writes instants. */
export const instant = (at: string | Date): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
