import { isPaidLater } from '../../../domain/payments/payment';
import type { FollowUpBody } from '../../../gateways/simulator/wire';
import type { StoredCharge } from '../../charge-store';
import type { OperationResult, SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import type { SimulatorCore } from '../adapter';
import { followUpReference } from '../our-reference';
import { isReadable } from '../readable-charge';
import { type PagarmeEndpoint, type PagarmeRequest, type PagarmeResult, withData } from './endpoint';
import { errorOfStatus, invalidBody, notFound, refused } from './errors';
import { chargeIdOf } from './ids';
import { type CancelBody, cancelBody, captureBody, type SplitBody } from './parameters';
import { orderDataOf } from './record';
import { splitsOf } from './splits';
import { reviewOf } from './states';

/** How long a refund of a pix or boleto is pending, if no script says so, in ms. */
const PENDING_REFUND_MS = 10_000;

/** `POST /charges/{id}/capture`: https://docs.pagar.me/reference/capturar-cobrança */
export function captureCharge(core: SimulatorCore, request: PagarmeRequest, id: string): PagarmeEndpoint {
  const parsed = captureBody.safeParse(request.body ?? {});
  const body = parsed.success ? parsed.data : null;
  const charge = findCharge(core, request, id);
  const amount = body?.amount ?? charge?.amount ?? null;
  const given = body?.operation_reference ?? null;
  const reference = charge && followUpReference(charge, 'capture', [given, request.idempotencyKey]);
  return {
    summary: { operation: 'capture', amount, reference },
    check: (account) => {
      if (!isReadable(core, account, charge)) return notFound('Charge');
      if (!parsed.success) return invalidBody(parsed.error, 'charge', request.body);
      const { code = null, split } = parsed.data;
      return {
        reference: reference ?? '',
        chargeId: charge.id,
        run: (context) => {
          const now = core.store.find(request.gateway, charge.id) ?? charge;
          if (reviewOf(now) === 'pending') return { response: refused('This charge can not be captured.') };
          const cents = amount ?? now.amount;
          const splits = captureSplits(now, split ?? [], cents);
          const followUp = followUpOf(reference, cents, splits);
          return resultOf(core.charges.capture(withData(context, { code }), now, followUp), 'captured');
        },
      };
    },
  };
}

/**
 * `DELETE /charges/{id}`: https://docs.pagar.me/reference/cancelar-cobrança. It voids an authorization, cancels a boleto that
 * is not paid, and refunds what is paid.
 */
export function cancelCharge(core: SimulatorCore, request: PagarmeRequest, id: string): PagarmeEndpoint {
  const parsed = cancelBody.safeParse(request.body ?? {});
  const body = parsed.success ? parsed.data : null;
  const charge = findCharge(core, request, id);
  const operation = charge !== null && charge.captured > 0 ? 'refund' : 'cancel';
  const left = charge === null ? null : operation === 'refund' ? leftOf(charge) : charge.amount;
  const amount = body?.amount ?? left;
  const given = body?.operation_reference ?? null;
  const reference = charge && followUpReference(charge, operation, [given, request.idempotencyKey]);
  return {
    summary: { operation, amount, reference },
    check: (account) => {
      if (!isReadable(core, account, charge)) return notFound('Charge');
      if (!parsed.success) return invalidBody(parsed.error, 'charge', request.body);
      return {
        reference: reference ?? '',
        chargeId: charge.id,
        run: (context) => {
          const now = core.store.find(request.gateway, charge.id) ?? charge;
          return now.captured > 0
            ? refund(core, context, now, parsed.data, reference)
            : cancel(core, context, now, parsed.data, reference);
        },
      };
    },
  };
}

function cancel(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  charge: StoredCharge,
  { amount }: CancelBody,
  reference: string | null,
): PagarmeResult {
  if ((amount ?? charge.amount) < charge.amount)
    return { response: refused('This fake does not void an authorization in part.') };
  if (reviewOf(charge) === 'pending') return { response: refused('This charge can not be canceled.') };
  // Merchants report it of every pix that is not paid, also of one that has expired.
  if (charge.method === 'pix' && charge.paid === 0)
    return { response: refused('This charge cannot be canceled because is pending.') };
  return resultOf(core.charges.cancel(context, charge, followUpOf(reference, charge.amount)), 'canceled');
}

function refund(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  charge: StoredCharge,
  body: CancelBody,
  reference: string | null,
): PagarmeResult {
  const cents = body.amount ?? leftOf(charge);
  if (cents === 0) return { response: refused('This charge can not be canceled.') };
  const { bank_account: account } = body;
  const followUp: FollowUpBody = {
    ...followUpOf(reference, cents, refundSplits(charge, body.split ?? [], cents)),
    bank_account:
      account === null
        ? null
        : {
            holder_name: account.holder_name,
            holder_type: account.holder_type,
            holder_document: account.holder_document,
            bank_code: account.bank,
            branch_number: account.branch_number,
            account_number: account.account_number,
            account_check_digit: account.account_check_digit,
            type: account.type,
          },
  };
  const behavior = isPaidLater(charge.method) ? pendingRefund(context.behavior) : context.behavior;
  return resultOf(core.charges.refund({ ...context, behavior }, charge, followUp), 'canceled');
}

/** Refunds of a pix or boleto are `pending_refund` until the money is back (state of pagarme/ecommerce-module-core). */
function pendingRefund(behavior: Behavior): Behavior {
  return behavior.pending_then === undefined
    ? { ...behavior, pending_then: 'executed', pending_ms: PENDING_REFUND_MS }
    : behavior;
}

function findCharge(core: SimulatorCore, { gateway }: PagarmeRequest, id: string): StoredCharge | null {
  const chargeId = chargeIdOf('ch', id);
  return chargeId === null ? null : core.store.find(gateway, chargeId);
}

function leftOf({ captured, refunded, operations }: StoredCharge): number {
  const pending = operations
    .filter(({ operation, pending: waiting }) => operation === 'refund' && waiting !== undefined)
    .reduce((sum, { amount }) => sum + amount, 0);
  return captured - refunded - pending;
}

function followUpOf(
  reference: string | null,
  amount: number,
  splits: FollowUpBody['splits'] = [],
): FollowUpBody {
  return { reference: reference ?? '', amount, splits, reason: null, bank_account: null };
}

/** The rules of the capture, or the order's percentages of the captured amount; flat rules must be sent anew. */
function captureSplits(charge: StoredCharge, rules: readonly SplitBody[], cents: number) {
  if (rules.length > 0) return splitsOf(rules, cents);
  const own = orderDataOf(charge).split;
  return own.some(({ type }) => type === 'percentage') ? splitsOf(own, cents) : [];
}

/** The rules of the refund. Without any, the recipients give a full refund back, and the merchant a partial one. */
function refundSplits(charge: StoredCharge, rules: readonly SplitBody[], cents: number) {
  if (rules.length > 0) return splitsOf(rules, cents);
  return cents === charge.captured ? [...charge.splits] : [];
}

/** https://docs.pagar.me/reference/erros-1: 412 for valid parameters that cannot be fulfilled, with a message of no documented form. */
function resultOf(result: OperationResult, verb: 'captured' | 'canceled'): PagarmeResult {
  if (!('rejected' in result)) return { commit: result, shown: result };
  const { code, message } = result.rejected;
  return { response: explain(code, message, verb) };
}

function explain(code: string, message: string, verb: string): SimulatorResponse {
  if (code === 'unavailable') return errorOfStatus(500);
  return code === 'invalid_state' || code === 'capture_window_passed'
    ? refused(`This charge can not be ${verb}.`)
    : refused(message);
}
