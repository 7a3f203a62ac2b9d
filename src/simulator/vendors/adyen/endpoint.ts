import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { SimulatorCommit } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { CallSummary } from '../adapter';

/** Adyen's objects, with the names of the wire. */
export type AdyenObject = Readonly<Record<string, unknown>>;

/** A `POST` below `/v72`. */
export interface AdyenRequest {
  readonly gateway: GatewaySlug;
  /** Undefined without a body, or if it is not JSON. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

/** What one request asks for. */
export interface AdyenEndpoint {
  readonly summary: Omit<CallSummary, 'idempotencyKey'>;
  /** The answer to an invalid request, or the work that it starts. */
  readonly check: (account: string) => SimulatorResponse | AdyenWork;
}

export interface AdyenWork {
  readonly reference: string;
  /** The core's id of the charge that it may change. */
  readonly chargeId: string | null;
  readonly run: (context: SimulatorRequestContext) => AdyenResult;
}

/** `shown` is the commit that the answer shows: another one for a `duplicate_id` script. */
export type AdyenResult =
  | { readonly commit: SimulatorCommit; readonly shown: SimulatorCommit }
  | { readonly response: SimulatorResponse };

export function isWork(checked: SimulatorResponse | AdyenWork): checked is AdyenWork {
  return 'run' in checked;
}

/** The text of a body's field, for the request log, even if the body is invalid. */
export function textIn(body: unknown, name: string): string | null {
  const value = fieldOf(body, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The value of a body's amount, even if the body is invalid. */
export function amountIn(body: unknown): number | null {
  const value = fieldOf(fieldOf(body, 'amount'), 'value');
  return typeof value === 'number' ? value : null;
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}
