import type { FollowUpBody } from '../../../gateways/simulator/wire';
import type { StoredCharge } from '../../charge-store';
import type { OperationResult } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { followUpReference } from '../our-reference';
import type { MercadoPagoEndpoint, MercadoPagoRequest, MercadoPagoResult } from './endpoint';
import { badRequest, errorOf, PAYMENT_NOT_FOUND } from './errors';
import type { PaymentIndex } from './ids';
import { cents, invalidBody, refundBody, type UpdateBody, updateBody } from './parameters';
import { reviewOf } from './record';
import { isVisible } from './visible-payment';

/**
 * `PUT /v1/payments/{id}` with `capture` true, or with `status` cancelled:
 * https://www.mercadopago.com.br/developers/en/docs/checkout-api/payment-management/capture-authorized-payment and
 * https://www.mercadopago.com.br/developers/en/reference/online-payments/checkout-pro-preferences/create-cancellation/put
 */
export function updatePayment(
  core: SimulatorCore,
  payments: PaymentIndex,
  request: MercadoPagoRequest,
  id: string,
): MercadoPagoEndpoint {
  const parsed = updateBody.safeParse(request.body);
  const body = parsed.success ? parsed.data : null;
  const charge = payments.find(request.gateway, id);
  const operation = body?.capture === true ? 'capture' : 'cancel';
  const amount = amountOf(body, charge);
  const reference = charge && followUpReference(charge, operation, [request.idempotencyKey]);
  return {
    summary: { operation, amount, reference },
    check: (account) => {
      if (!isVisible(core, account, charge)) return PAYMENT_NOT_FOUND;
      if (!parsed.success) return invalidBody(parsed.error);
      const problem = updateProblem(parsed.data);
      if (problem !== null) return problem;
      return {
        reference: reference ?? '',
        chargeId: charge.id,
        run: (context) => {
          const now = core.store.find(request.gateway, charge.id) ?? charge;
          // What is in process may be canceled (page above), but this fake leaves it to its reviewer.
          if (reviewOf(now) === 'pending') return { response: WRONG_STATE };
          const followUp = followUpOf(reference, amount ?? now.amount);
          return resultOf(core.charges[operation](context, now, followUp));
        },
      };
    },
  };
}

function amountOf(body: UpdateBody | null, charge: StoredCharge | null): number | null {
  const given = body?.transaction_amount ?? null;
  return given === null ? (charge?.amount ?? null) : cents(given);
}

/** The codes of the second page. */
function updateProblem({ capture, status, date_of_expiration }: UpdateBody): SimulatorResponse | null {
  if (capture === true) return null;
  if ((date_of_expiration ?? null) !== null)
    return badRequest(1, 'This fake changes no date_of_expiration', 'date_of_expiration');
  if ((status ?? null) === null) return badRequest(4017, "Status attribute can't be null", 'status');
  return status === 'cancelled' ? null : badRequest(2016, 'Invalid Status for Update', 'status');
}

/** `POST /v1/payments/{id}/refunds`: https://www.mercadopago.com.br/developers/en/reference/chargebacks/_payments_id_refunds/post */
export function createRefund(
  core: SimulatorCore,
  payments: PaymentIndex,
  request: MercadoPagoRequest,
  id: string,
): MercadoPagoEndpoint {
  const parsed = refundBody.safeParse(request.body);
  const charge = payments.find(request.gateway, id);
  const given = parsed.success ? (parsed.data.amount ?? null) : null;
  const amount = given === null ? charge && leftOf(charge) : cents(given);
  const reference = charge && followUpReference(charge, 'refund', [request.idempotencyKey]);
  return {
    summary: { operation: 'refund', amount, reference },
    needsKey: true,
    check: (account) => {
      if (!isVisible(core, account, charge)) return PAYMENT_NOT_FOUND;
      if (!parsed.success) return invalidBody(parsed.error);
      if (given !== null && given <= 0)
        return badRequest(4040, 'amount attribute must be positive', 'amount');
      return {
        reference: reference ?? '',
        chargeId: charge.id,
        run: (context) => {
          const now = core.store.find(request.gateway, charge.id) ?? charge;
          const asked = given === null ? leftOf(now) : cents(given);
          // The core asks for a bank account of a boleto's payer; Mercado Pago pays into the payer's account with it.
          const followUp = { ...followUpOf(reference, asked), bank_account: PAYERS_ACCOUNT };
          return asked === 0
            ? { response: WRONG_STATE_TO_REFUND }
            : resultOf(core.charges.refund(context, now, followUp));
        },
      };
    },
  };
}

const PAYERS_ACCOUNT: FollowUpBody['bank_account'] = {
  holder_name: '-',
  holder_type: 'individual',
  holder_document: '-',
  bank_code: '-',
  branch_number: '-',
  account_number: '-',
  account_check_digit: '-',
  type: 'checking',
};

function leftOf({ captured, refunded, operations }: StoredCharge): number {
  const pending = operations
    .filter(({ operation, pending: waiting }) => operation === 'refund' && waiting !== undefined)
    .reduce((sum, { amount }) => sum + amount, 0);
  return captured - refunded - pending;
}

function followUpOf(reference: string | null, amount: number): FollowUpBody {
  return { reference: reference ?? '', amount, splits: [], reason: null, bank_account: null };
}

const STATE_MESSAGE = 'The action requested is not valid for the current payment state';
const WRONG_STATE = badRequest(2018, STATE_MESSAGE);
const WRONG_STATE_TO_REFUND = badRequest(2063, STATE_MESSAGE);

/** 2063 of a state and 2017 of an amount: measured at the real API on 2026-09-15 (public notes of probe 18 in a repository about payments). */
function resultOf(result: OperationResult): MercadoPagoResult {
  if (!('rejected' in result)) return { commit: result, shown: result };
  const { code, message } = result.rejected;
  switch (code) {
    case 'unavailable':
      return { response: errorOf(503, { code: 'unavailable', description: message }) };
    case 'amount_too_large':
      return { response: badRequest(2017, 'Invalid transaction_amount for update') };
    default:
      return { response: WRONG_STATE };
  }
}
