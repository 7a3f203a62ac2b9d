import { DateTime } from 'luxon';
import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { SimulatorCommit } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { CallSummary } from '../adapter';

/** Mercado Pago's objects, with the names of the wire. */
export type MercadoPagoObject = Readonly<Record<string, unknown>>;

export interface MercadoPagoRequest {
  readonly gateway: GatewaySlug;
  readonly method: string;
  /** The segments after `v1`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** An empty object without a body; undefined if it is not JSON. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  /** The access token; null without one. */
  readonly accessToken: string | null;
  /** Whether it has the header of a card's validation. */
  readonly validatesCard: boolean;
  /** Whether the answer shows the ids of the card network. */
  readonly expands: boolean;
}

/** What one request asks for. */
export interface MercadoPagoEndpoint {
  readonly summary: Omit<CallSummary, 'idempotencyKey'>;
  /** Whether a request without `X-Idempotency-Key` is refused. */
  readonly needsKey?: boolean;
  /** Whether a public key is enough. */
  readonly isPublic?: boolean;
  /** The answer to an invalid request, or the work that it starts. */
  readonly check: (account: string) => SimulatorResponse | MercadoPagoWork;
}

export interface MercadoPagoWork {
  readonly reference: string;
  /** The core's id of the charge that it may change. */
  readonly chargeId: string | null;
  readonly run: (context: SimulatorRequestContext) => MercadoPagoResult;
}

/** `shown` is the commit that the answer shows: another one for a `duplicate_id` script. */
export type MercadoPagoResult =
  | { readonly commit: SimulatorCommit; readonly shown: SimulatorCommit }
  | { readonly response: SimulatorResponse };

/** A request that belongs to no payment. */
export const NO_PAYMENT: MercadoPagoEndpoint['summary'] = { operation: null, amount: null, reference: null };

export function isWork(checked: SimulatorResponse | MercadoPagoWork): checked is MercadoPagoWork {
  return 'run' in checked;
}

/** Work that reads or that changes no charge. */
export function reply(respond: (context: SimulatorRequestContext) => SimulatorResponse): MercadoPagoWork {
  return { reference: '', chargeId: null, run: (context) => ({ response: respond(context) }) };
}

/** The context with data that the operation stores. */
export function withData(context: SimulatorRequestContext, data: object): SimulatorRequestContext {
  return { ...context, wireData: { ...context.wireData, ...data } };
}

/** Mercado Pago writes instants four hours behind UTC: `2021-09-17T11:59:10.367-04:00` (mocks of mercadopago/sdk-php). */
export function instant(at: string | Date): string {
  return DateTime.fromJSDate(new Date(at), { zone: 'UTC-4' }).toISO() ?? '';
}

/** An amount of the wire: R$ 129.90 is 129.9. */
export const reais = (cents: number): number => cents / 100;
