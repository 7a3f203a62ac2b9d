import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { SimulatorCommit } from '../../charge-store';
import type { FoundDispute } from '../../operations/answer-dispute';
import type { OperationResult, SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { CallSummary } from '../adapter';
import type { FormHash } from './form';

/** The version of the API that the fake answers in. */
export const API_VERSION = '2026-08-26.dahlia';

/** A request below `/v1`. */
export interface StripeRequest {
  readonly gateway: GatewaySlug;
  readonly method: string;
  /** The segments after `v1`. */
  readonly path: readonly string[];
  /** Body and query together. */
  readonly params: FormHash;
  readonly idempotencyKey: string | null;
}

/** What one request asks for. */
export interface StripeEndpoint {
  readonly summary: Omit<CallSummary, 'idempotencyKey'>;
  /** The answer to an invalid request, or the work that it starts. */
  readonly check: (account: string) => SimulatorResponse | StripeWork;
}

export interface StripeWork {
  readonly reference: string;
  /** The core's id of the charge that it may change. */
  readonly chargeId: string | null;
  readonly run: (context: SimulatorRequestContext) => StripeResult;
}

/** `shown` is the commit that the answer shows: another one for a `duplicate_id` script. */
export type StripeResult =
  | { readonly commit: SimulatorCommit; readonly shown: SimulatorCommit }
  /** `answered`: the dispute that the merchant answered. */
  | { readonly response: SimulatorResponse; readonly answered?: FoundDispute };

/** A request that belongs to no payment. */
export const NO_PAYMENT: StripeEndpoint['summary'] = { operation: null, amount: null, reference: null };

export function isWork(checked: SimulatorResponse | StripeWork): checked is StripeWork {
  return 'run' in checked;
}

/** Work that reads or that changes no charge. */
export function reply(respond: (context: SimulatorRequestContext) => SimulatorResponse): StripeWork {
  return { reference: '', chargeId: null, run: (context) => ({ response: respond(context) }) };
}

/** The result of the core's operation; `explain` words a rejection as Stripe does. */
export function resultOf(
  result: OperationResult,
  explain: (code: string, message: string) => SimulatorResponse,
): StripeResult {
  if ('rejected' in result) return { response: explain(result.rejected.code, result.rejected.message) };
  return { commit: result, shown: result };
}

/** The context with data that the operation stores. */
export function withData(context: SimulatorRequestContext, data: object): SimulatorRequestContext {
  return { ...context, wireData: { ...context.wireData, ...data } };
}

export function expandOf({ expand }: FormHash): readonly string[] {
  return typeof expand === 'object' ? Object.values(expand).filter((path) => typeof path === 'string') : [];
}
