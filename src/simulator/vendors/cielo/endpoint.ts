import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { StoredCharge } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { CallSummary, SimulatorCore, WorkResult } from '../adapter';
import { isReadable } from '../readable-charge';

/** Cielo's objects, with the names of the wire. */
export type CieloObject = Readonly<Record<string, unknown>>;

/** A request below `/1` of one of the two hosts. */
export interface CieloRequest {
  readonly gateway: GatewaySlug;
  readonly method: string;
  /** The segments after `1`. */
  readonly path: readonly string[];
  /** With names in lower case, because the manual writes `amount` and `Amount`. */
  readonly query: ReadonlyMap<string, string>;
  /** Undefined without a body, or if it is not JSON. */
  readonly body: unknown;
  /** The header `RequestId`; null without it. */
  readonly requestId: string | null;
}

/** What one request asks for. `run` validates and commits. */
export interface CieloEndpoint {
  readonly summary: Omit<CallSummary, 'idempotencyKey'>;
  /** The core's id of the charge that it may change. */
  readonly chargeId?: string | null;
  readonly run: (context: SimulatorRequestContext) => WorkResult;
}

export const ok = (body: object): SimulatorResponse => ({ status: 200, body });

const CHARGE_PREFIX = 'ch_';

/** A `PaymentId` is a GUID: the core's id of the charge without its prefix. */
export const paymentIdOf = (chargeId: string): string => chargeId.slice(CHARGE_PREFIX.length);

export function findPayment(
  core: SimulatorCore,
  { gateway }: Pick<CieloRequest, 'gateway'>,
  paymentId: string,
): StoredCharge | null {
  return core.store.find(gateway, `${CHARGE_PREFIX}${paymentId.toLowerCase()}`);
}

/** As `findPayment`, if the account may see it. */
export function readablePayment(
  core: SimulatorCore,
  { gateway, account }: Pick<SimulatorRequestContext, 'gateway' | 'account'>,
  paymentId: string,
): StoredCharge | null {
  const charge = findPayment(core, { gateway }, paymentId);
  return isReadable(core, account, charge) ? charge : null;
}
