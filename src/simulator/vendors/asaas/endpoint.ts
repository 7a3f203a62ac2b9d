import type { StoredCharge } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { CallSummary, SimulatorCore, VendorHttpRequest, WorkResult } from '../adapter';
import { isReadable } from '../readable-charge';
import { placeOf } from './ids';

/** Asaas' objects, with the names of the wire. */
export type AsaasObject = Readonly<Record<string, unknown>>;

/** A request below `/v3`. */
export interface AsaasRequest extends Pick<VendorHttpRequest, 'gateway' | 'method' | 'query'> {
  /** The segments after `v3`. */
  readonly path: readonly string[];
  readonly key: string;
  /** Undefined without a body, or if it is not JSON. */
  readonly body: unknown;
}

/** What one request asks for. `run` validates and commits. */
export interface AsaasEndpoint {
  readonly summary: Omit<CallSummary, 'idempotencyKey'>;
  /** The core's id of the charge that it may change. */
  readonly chargeId?: string | null;
  readonly run: (context: SimulatorRequestContext) => WorkResult;
}

/** One payment: an installment of a charge, which is the whole charge if it has one. */
export interface PaymentOfCharge {
  readonly charge: StoredCharge;
  readonly part: number;
}

/** A request that belongs to no payment: neither scripted nor logged. */
export const NO_PAYMENT: AsaasEndpoint['summary'] = { operation: null, amount: null, reference: null };

export const ok = (body: object): SimulatorResponse => ({ status: 200, body });

/** An endpoint that belongs to no payment. */
export function reply(respond: (context: SimulatorRequestContext) => SimulatorResponse): AsaasEndpoint {
  return { summary: NO_PAYMENT, run: (context) => ({ response: respond(context) }) };
}

/** The payment that an id names. A declined one was never kept: https://docs.asaas.com/reference/create-new-payment-with-credit-card */
export function findPayment(
  core: SimulatorCore,
  { gateway }: Pick<AsaasRequest, 'gateway'>,
  id: string,
): PaymentOfCharge | null {
  const place = placeOf(id);
  const charge = place && core.store.find(gateway, place.chargeId);
  return place === null || charge === null || charge.status === 'declined'
    ? null
    : { charge, part: place.part };
}

/** As `findPayment`, if the account may see it. */
export function readablePayment(
  core: SimulatorCore,
  { gateway, account }: Pick<SimulatorRequestContext, 'gateway' | 'account'>,
  id: string,
): PaymentOfCharge | null {
  const found = findPayment(core, { gateway }, id);
  return found !== null && isReadable(core, account, found.charge) ? found : null;
}

/** The context with data that the operation stores. */
export function withData(context: SimulatorRequestContext, data: object): SimulatorRequestContext {
  return { ...context, wireData: { ...context.wireData, ...data } };
}
