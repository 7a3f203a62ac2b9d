import type { FollowUpBody, WireSplit } from '../../../gateways/simulator/wire';
import type { OperationResult, SimulatorRequestContext } from '../../charges';
import type { SimulatorCore, WorkResult } from '../adapter';
import {
  type AsaasEndpoint,
  type AsaasRequest,
  findPayment,
  ok,
  type PaymentOfCharge,
  readablePayment,
  withData,
} from './endpoint';
import { failure, invalid, invalidBody, notFound, refused } from './errors';
import { recipientOfWallet } from './ids';
import { noBody, refundBody } from './parameters';
import { paymentObject, splitIdOf } from './payment-object';
import { centsOf, followUpReference, paymentDataOf, partsOf, refundedCents, refundsOf } from './record';
import { isReservationOver } from './states';

type Shown = (payment: PaymentOfCharge) => object;

/** `POST /v3/payments/{id}/captureAuthorizedPayment`: https://docs.asaas.com/reference/capture-payment-with-pre-authorization. No amount. */
export function capturePayment(core: SimulatorCore, request: AsaasRequest, id: string): AsaasEndpoint {
  const found = findPayment(core, request, id);
  const reference = found && followUpReference(found.charge, 'capture', null);
  return {
    summary: { operation: 'capture', amount: found?.charge.amount ?? null, reference },
    chargeId: found?.charge.id ?? null,
    run: (context) => {
      const parsed = noBody.safeParse(request.body);
      if (!parsed.success) return { response: invalidBody(parsed.error) };
      const payment = readablePayment(core, context, id);
      if (payment === null) return { response: notFound() };
      const { charge } = payment;
      const isReviewed = paymentDataOf(charge).in_review;
      if (charge.status !== 'authorized' || isReviewed || isReservationOver(charge))
        return { response: refused('A cobrança não possui uma pré-autorização que possa ser capturada.') };
      const followUp = followUpOf(reference, charge.amount);
      const data = { deferred: context.behavior.pending_then !== undefined };
      return resultOf(
        core.charges.capture(withData(context, data), charge, followUp),
        payment,
        shownAt(core),
      );
    },
  };
}

/**
 * `POST /v3/payments/{id}/refund`: https://docs.asaas.com/reference/refund-payment. Of a reservation it is the release:
 * https://docs.asaas.com/docs/payments-1.
 */
export function refundPayment(
  core: SimulatorCore,
  request: AsaasRequest,
  id: string,
  /** Whether all installments of the payment are refunded with it. */
  { isWhole = false } = {},
): AsaasEndpoint {
  const parsed = refundBody.safeParse(request.body ?? {});
  const body = parsed.success ? parsed.data : null;
  const found = findPayment(core, request, id);
  const operation = found?.charge.status === 'authorized' ? 'cancel' : 'refund';
  const description = body?.description ?? null;
  return {
    summary: {
      operation,
      amount: body?.value ?? (found && leftOf(found, isWhole)),
      reference: found && followUpReference(found.charge, operation, description),
    },
    chargeId: found?.charge.id ?? null,
    run: (context) => {
      if (!parsed.success) return { response: invalidBody(parsed.error) };
      const payment = readablePayment(core, context, id);
      if (payment === null) return { response: notFound() };
      const { charge, part } = payment;
      if (charge.status === 'authorized') return release(core, context, payment, parsed.data);
      const problem = refundProblem(payment, parsed.data.value);
      if (problem !== null) return { response: problem };
      const cents = parsed.data.value ?? leftOf(payment, isWhole);
      const splits = refundSplits(payment, parsed.data.splitRefunds ?? [], cents);
      if (splits === null) return { response: invalid('invalid_splitRefunds', 'Split não encontrado.') };
      const reference = followUpReference(charge, 'refund', description);
      const isOnly = isWhole || partsOf(charge).length === 1;
      const data = followUpData(context, { part: isOnly ? null : part, description });
      const followUp = followUpOf(reference, cents, splits);
      return resultOf(core.charges.refund(withData(context, data), charge, followUp), payment, shownAt(core));
    },
  };
}

/** What is wrong with the refund of a payment that holds no reservation; null if nothing is. */
function refundProblem(payment: PaymentOfCharge, value: number | null) {
  const { charge } = payment;
  // Both answers as integrators report them from the sandbox.
  if (charge.captured === 0 || leftOf(payment) <= 0)
    return invalid('invalid_object', 'Somente é possível estornar cobranças recebidas ou confirmadas.');
  // The page above names card and pix; a boleto has its own endpoint.
  if (charge.method === 'billet')
    return invalid('invalid_object', 'Boletos são estornados pelo pedido dos dados bancários do pagador.');
  return value !== null && value > leftOf(payment)
    ? invalid('invalid_value', 'O valor do estorno excede o valor da cobrança.')
    : null;
}

function release(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  payment: PaymentOfCharge,
  { value, description }: { readonly value: number | null; readonly description: string | null },
): WorkResult {
  const { charge } = payment;
  if (paymentDataOf(charge).in_review || isReservationOver(charge))
    return { response: refused('A cobrança não pode ser estornada.') };
  if (value !== null && value < charge.amount)
    return { response: refused('Não é possível estornar parte de uma pré-autorização.') };
  const reference = followUpReference(charge, 'cancel', description);
  const data = followUpData(context, { part: null, description });
  const followUp = followUpOf(reference, charge.amount);
  return resultOf(core.charges.cancel(withData(context, data), charge, followUp), payment, shownAt(core));
}

/**
 * `POST /v3/payments/{id}/bankSlip/refund`: the payer is asked for an account at the address that is answered, so the refund
 * waits, here for `POST /_admin/operations`.
 */
export function refundBoleto(core: SimulatorCore, request: AsaasRequest, id: string): AsaasEndpoint {
  const found = findPayment(core, request, id);
  const reference = found && followUpReference(found.charge, 'refund', null);
  return {
    summary: { operation: 'refund', amount: found && leftOf(found), reference },
    chargeId: found?.charge.id ?? null,
    run: (context) => {
      const payment = readablePayment(core, context, id);
      if (payment === null) return { response: notFound() };
      const { charge, part } = payment;
      if (charge.method !== 'billet' || charge.captured === 0 || leftOf(payment) <= 0)
        return { response: invalid('invalid_object', 'Somente boletos recebidos podem ser estornados.') };
      const isWhole = partsOf(charge).length === 1;
      const behavior = { pending_then: 'executed', ...context.behavior } as const;
      const data = { part: isWhole ? null : part, deferred: true };
      const followUp = { ...followUpOf(reference, leftOf(payment)), bank_account: PAYERS_ACCOUNT };
      const requestUrl = `${core.origin}/${charge.gateway}/estorno/${charge.id}`;
      const outcome = core.charges.refund(withData({ ...context, behavior }, data), charge, followUp);
      return resultOf(outcome, payment, () => ({ requestUrl }));
    },
  };
}

/** The payer names it on Asaas' page; the core asks for one and keeps none. */
const PAYERS_ACCOUNT: NonNullable<FollowUpBody['bank_account']> = {
  holder_name: 'Pagador',
  holder_type: 'individual',
  holder_document: '52998224725',
  bank_code: '001',
  branch_number: '0001',
  account_number: '1',
  account_check_digit: '0',
  type: 'checking',
};

/** `DELETE /v3/payments/{id}` of an unpaid payment. What it does to others is not documented: 400. */
export function deletePayment(core: SimulatorCore, request: AsaasRequest, id: string): AsaasEndpoint {
  const found = findPayment(core, request, id);
  const reference = found && followUpReference(found.charge, 'cancel', null);
  return {
    summary: { operation: 'cancel', amount: found?.charge.amount ?? null, reference },
    chargeId: found?.charge.id ?? null,
    run: (context) => {
      const payment = readablePayment(core, context, id);
      if (payment === null) return { response: notFound() };
      const { charge } = payment;
      if (charge.status !== 'pending' || charge.captured > 0)
        return { response: refused('Esta cobrança não pode ser removida.') };
      const data = { deferred: context.behavior.pending_then !== undefined };
      const followUp = followUpOf(reference, charge.amount);
      const outcome = core.charges.cancel(withData(context, data), charge, followUp);
      return resultOf(outcome, payment, () => ({ deleted: true, id }));
    },
  };
}

/** The cents of a payment, or of all installments, that are paid and not refunded. */
function leftOf({ charge, part }: PaymentOfCharge, isWhole = false): number {
  return (isWhole ? partsOf(charge) : [part]).reduce((left, each) => {
    const refunds = refundsOf(charge, each).filter(({ status }) => status !== 'declined');
    const paid = charge.captured === 0 ? 0 : centsOf(charge, each, charge.captured);
    return left + refunds.reduce((rest, one) => rest - refundedCents(charge, each, one), paid);
  }, 0);
}

/** Null if an id names no split of the payment. A full refund takes everything back: https://docs.asaas.com/docs/split-de-pagamentos */
function refundSplits(
  { charge }: PaymentOfCharge,
  wanted: readonly { readonly id: string; readonly value: number }[],
  cents: number,
): WireSplit[] | null {
  if (wanted.length === 0) return cents === charge.captured ? [...charge.splits] : [];
  const walletOf = new Map(
    paymentDataOf(charge).splits.map(({ walletId }) => [splitIdOf(charge, walletId), walletId]),
  );
  const splits = wanted.map(({ id, value }) => ({ walletId: walletOf.get(id), value }));
  if (splits.some(({ walletId }) => walletId === undefined)) return null;
  return splits.map(({ walletId = '', value }) => ({
    recipient_id: recipientOfWallet(walletId),
    amount: value,
    liable: false,
    charge_processing_fee: false,
  }));
}

function followUpOf(
  reference: string | null,
  amount: number,
  splits: FollowUpBody['splits'] = [],
): FollowUpBody {
  return { reference: reference ?? '', amount, splits, reason: null, bank_account: null };
}

function followUpData({ behavior }: SimulatorRequestContext, data: object): object {
  return { ...data, deferred: behavior.pending_then !== undefined };
}

const shownAt =
  ({ origin }: SimulatorCore): Shown =>
  (payment) =>
    paymentObject(payment, origin);

function resultOf(result: OperationResult, { part }: PaymentOfCharge, show: Shown): WorkResult {
  if ('rejected' in result) {
    const { code, message } = result.rejected;
    return { response: code === 'unavailable' ? failure(500, 'internal_error', message) : refused(message) };
  }
  const { charge, operation } = result;
  const isRefused = operation.status === 'declined';
  return {
    response: isRefused ? refused('A operação não foi autorizada.') : ok(show({ charge, part })),
    charge,
    announced: true,
  };
}
