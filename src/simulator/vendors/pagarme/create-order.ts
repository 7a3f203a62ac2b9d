import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import type { SimulatorCore } from '../adapter';
import { leaveInReview } from '../manual-review';
import type { CustomerStore } from './customers';
import {
  type PagarmeEndpoint,
  type PagarmeRequest,
  type PagarmeResult,
  type PagarmeWork,
  withData,
} from './endpoint';
import { errorOfStatus, invalidBody, notFound, refused } from './errors';
import { chargeBodyOf, initiationOf, operationOf, orderDataFrom, purchaseOf } from './order-body';
import { orderBody } from './parameters';
import { amountOf, readOrder, type ReadOrder } from './read-order';

/** `POST /orders`: https://docs.pagar.me/reference/criar-pedido-2 */
export function createOrder(
  core: SimulatorCore,
  customers: CustomerStore,
  request: PagarmeRequest,
): PagarmeEndpoint {
  const parsed = orderBody.safeParse(request.body);
  const order = parsed.success ? parsed.data : null;
  const payment = order?.payments[0] ?? null;
  const reference = order?.code ?? codeIn(request.body);
  return {
    summary: {
      operation: payment === null ? 'charge' : operationOf(payment),
      amount: order === null ? null : amountOf(order),
      reference,
      ...(payment !== null && { initiation: initiationOf(payment), purchase: purchaseOf(order) }),
    },
    check: (): SimulatorResponse | PagarmeWork => {
      if (request.body === undefined) return errorOfStatus(400);
      if (!parsed.success) return invalidBody(parsed.error, 'order', request.body);
      const read = readOrder(parsed.data, customers, request);
      if ('status' in read) return read;
      return {
        reference: reference ?? '',
        chargeId: null,
        run: (context) => create(core, customers, context, read),
      };
    },
  };
}

function create(
  core: SimulatorCore,
  customers: CustomerStore,
  context: SimulatorRequestContext,
  read: ReadOrder,
): PagarmeResult {
  const { behavior } = context;
  const previous = behavior.duplicate_id === true ? core.store.newestChargeAt(context.gateway) : null;
  const lacking = lackingOf(read, customers, behavior);
  const inReview = behavior.pending_then !== undefined && read.card !== null;
  const operation = inReview ? 'authorize' : operationOf(read.payment);
  const data = orderDataFrom(read, { gateway_errors: lacking, in_review: inReview });
  const created = core.charges.create(
    withData(lacking.length === 0 ? context : failing(context), data),
    operation,
    chargeBodyOf(read),
  );
  if ('rejected' in created)
    return { response: rejectedOrder(created.rejected.code, created.rejected.message) };
  const commit =
    inReview && created.charge.status === 'authorized' ? leaveInReview(core, context, created) : created;
  const first = previous?.operations[0];
  const shown = previous === null || first === undefined ? commit : { charge: previous, operation: first };
  return { commit, shown };
}

/**
 * What the order or the account lacks. https://docs.pagar.me/reference/erros-1: what a customer of the payment service provider
 * must send, and what it is answered without it. A limit of the account is answered likewise; its message is not documented.
 */
function lackingOf(
  { order, customerId }: ReadOrder,
  customers: CustomerStore,
  { lacks }: Behavior,
): string[] {
  const { home_phone, mobile_phone } = (order.customer ?? customers.find(customerId))?.phones ?? {};
  return [
    ...((home_phone ?? mobile_phone ?? null) === null ? ['At least one customer phone is required.'] : []),
    ...(lacks === undefined ? [] : [`The account has no permission for ${lacks}.`]),
  ];
}

/** The charge fails before an acquirer sees it. */
function failing(context: SimulatorRequestContext): SimulatorRequestContext {
  return { ...context, behavior: { decline_class: 'hard' } };
}

function rejectedOrder(code: string, message: string): SimulatorResponse {
  if (code === 'unavailable') return errorOfStatus(500);
  return code === 'unknown_recipient' ? notFound('Recipient') : refused(message);
}

/** The code even of an invalid order, for the request log. */
function codeIn(body: unknown): string | null {
  const { code }: { code?: unknown } = typeof body === 'object' && body !== null ? body : {};
  return typeof code === 'string' && code !== '' ? code : null;
}
