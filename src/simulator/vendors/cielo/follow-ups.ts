import { isPaidLater } from '../../../domain/payments/payment';
import type { StoredCharge } from '../../charge-store';
import type { OperationResult, SimulatorRequestContext } from '../../charges';
import type { Behavior } from '../../scripts';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore, WorkResult } from '../adapter';
import { followUpReference } from '../our-reference';
import {
  type CieloEndpoint,
  type CieloObject,
  type CieloRequest,
  findPayment,
  ok,
  readablePayment,
} from './endpoint';
import { failure, notFound } from './errors';
import { acquirerPart, linksOf } from './payment-object';
import { CAPTURED, codeOf, resultPart, VOIDED } from './return-codes';
import { STATUS, statusOf } from './states';

/** How long a refund of a pix takes unless a script says otherwise. */
const PIX_REFUND_MS = 10_000;

/** `PUT /1/sales/{PaymentId}/capture?amount=`: once, the whole or a part. */
export function captureSale(core: SimulatorCore, request: CieloRequest, id: string): CieloEndpoint {
  return followUp(core, request, id, 'capture', (context, charge, amount) => {
    if (charge.status !== 'authorized' || amount > charge.amount) return { response: failure(308) };
    const result = core.charges.capture(context, charge, bodyOf(charge, 'capture', amount));
    return workOf(result, core, 308, () => CAPTURED);
  });
}

/**
 * `PUT /1/sales/{PaymentId}/void?amount=`: releases an authorization, or refunds a captured sale or a paid pix. The manual allows a
 * boleto's by hand only, and knows none of an unpaid pix. That captured sales wait a day, and voids five seconds, is not played.
 */
export function voidSale(core: SimulatorCore, request: CieloRequest, id: string): CieloEndpoint {
  const charge = findPayment(core, request, id);
  const kind = charge?.status === 'authorized' ? 'cancel' : 'refund';
  return followUp(core, request, id, kind, (context, current, amount) => {
    if (current.method === 'billet') return { response: failure(310) };
    if (current.status === 'authorized')
      return amount < current.amount ? { response: failure(309) } : release(core, context, current);
    if (current.captured === 0) return { response: failure(309) };
    return refund(core, context, current, amount);
  });
}

function release(core: SimulatorCore, context: SimulatorRequestContext, charge: StoredCharge): WorkResult {
  const result = core.charges.cancel(context, charge, bodyOf(charge, 'cancel', charge.amount));
  return workOf(result, core, 309, () => VOIDED.whole);
}

function refund(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  charge: StoredCharge,
  amount: number,
): WorkResult {
  const underWay = charge.operations.filter(({ pending }) => pending !== undefined);
  if (underWay.length > 0) {
    const repeated = underWay.some((operation) => operation.amount === amount);
    return refused(charge, core, repeated ? VOIDED.repeated : VOIDED.under_way);
  }
  const left = charge.captured - charge.refunded;
  if (left === 0) return { response: failure(309) };
  if (amount > left) return refused(charge, core, VOIDED.too_much);
  const behavior = isPaidLater(charge.method) ? pendingRefund(context.behavior) : context.behavior;
  const body = bodyOf(charge, 'refund', amount);
  const result = core.charges.refund({ ...context, behavior }, charge, body);
  return workOf(result, core, 309, ({ refunded, captured }) =>
    refunded === captured ? VOIDED.whole : VOIDED.part,
  );
}

/** A refund of a pix is requested, and carried out later: https://developercielo.github.io/manual/cielo-ecommerce#solicitando-uma-devolução-pix */
function pendingRefund(behavior: Behavior): Behavior {
  return behavior.pending_then === undefined
    ? { ...behavior, pending_then: 'executed', pending_ms: PIX_REFUND_MS }
    : behavior;
}

type Operation = 'capture' | 'cancel' | 'refund';

function followUp(
  core: SimulatorCore,
  request: CieloRequest,
  id: string,
  operation: Operation,
  run: (context: SimulatorRequestContext, charge: StoredCharge, amount: number) => WorkResult,
): CieloEndpoint {
  const found = findPayment(core, request, id);
  const given = request.query.get('amount') ?? null;
  const isValid = given === null || /^[1-9]\d{0,14}$/.test(given);
  const amountOf = (charge: StoredCharge) => (given === null ? wholeOf(charge, operation) : Number(given));
  return {
    summary: {
      operation,
      amount: found !== null && isValid ? amountOf(found) : null,
      reference: found && followUpReference(found, operation, []),
    },
    chargeId: found?.id ?? null,
    run: (context) => {
      const charge = readablePayment(core, context, id);
      if (charge === null) return { response: notFound() };
      return isValid ? run(context, charge, amountOf(charge)) : { response: failure(108) };
    },
  };
}

const wholeOf = (charge: StoredCharge, operation: Operation): number =>
  operation === 'refund' ? charge.captured - charge.refunded : charge.amount;

function bodyOf(charge: StoredCharge, operation: Operation, amount: number) {
  const reference = followUpReference(charge, operation, []);
  return { reference, amount, splits: [], reason: null, bank_account: null };
}

/** `state`: the error if the charge does not allow it. */
function workOf(
  result: OperationResult,
  core: SimulatorCore,
  state: 308 | 309,
  codeFor: (charge: StoredCharge) => string,
): WorkResult {
  if ('rejected' in result)
    return { response: result.rejected.code === 'unavailable' ? failure(0, 500) : failure(state) };
  const { charge, operation } = result;
  if (operation.status === 'declined')
    return { ...refused(charge, core, codeOf(operation), operation.message), charge };
  if (operation.pending !== undefined) {
    const requested = resultPart(VOIDED.part, false, 'Reembolso solicitado com sucesso');
    return { response: answer(charge, core, { Status: STATUS.pending, ...requested }), charge };
  }
  return { response: answer(charge, core, resultPart(codeFor(charge), false)), charge, announced: true };
}

/** A refusal of the acquirer is an answer with the state as it was. Its status is not documented: 200 here. */
function refused(charge: StoredCharge, core: SimulatorCore, code: string, message = 'Denied'): WorkResult {
  return { response: answer(charge, core, resultPart(code, true, message)) };
}

function answer(charge: StoredCharge, { origin }: SimulatorCore, result: CieloObject): SimulatorResponse {
  const { authorizationCode } = charge;
  return ok({
    Status: statusOf(charge),
    ...(charge.method === 'card' && acquirerPart(charge)),
    ...(authorizationCode !== null && { AuthorizationCode: authorizationCode }),
    ...result,
    Links: linksOf(charge, origin),
  });
}
