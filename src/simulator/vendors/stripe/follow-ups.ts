import type { FollowUpBody } from '../../../gateways/simulator/wire';
import type { StoredCharge } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { followUpReference } from '../our-reference';
import { isReadable } from '../readable-charge';
import { shown } from './amounts';
import { resultOf, withData, type StripeEndpoint, type StripeRequest } from './endpoint';
import { errorResponse, invalidParameters, invalidRequest, missing } from './errors';
import { chargeIdOf, intentIdOf, stripeChargeIdOf } from './ids';
import { intentObject, intentStatusOf } from './intent-object';
import {
  cancelParams,
  captureParams,
  type CaptureParams,
  refundParams,
  type RefundParams,
} from './parameters';
import { intentDataOf } from './record';

/** `POST /v1/payment_intents/{id}/capture`: https://docs.stripe.com/api/payment_intents/capture */
export function captureIntent(core: SimulatorCore, request: StripeRequest, id: string): StripeEndpoint {
  const parsed = captureParams.safeParse(request.params);
  const charge = findIntent(core, request, id);
  const metadata = parsed.success ? parsed.data.metadata : {};
  const amount = (parsed.success ? parsed.data.amount_to_capture : undefined) ?? charge?.amount ?? null;
  const reference =
    charge && followUpReference(charge, 'capture', [...Object.values(metadata), request.idempotencyKey]);
  return {
    summary: { operation: 'capture', amount, reference },
    check: (account) => {
      if (!parsed.success) return invalidParameters(parsed.error);
      if (!isReadable(core, account, charge)) return missing('payment_intent', id, 'intent');
      if (amount === null || amount < 1) return notPositive('amount_to_capture');
      const body = followUp(reference, amount, captureSplits(charge, parsed.data, amount));
      return {
        reference: body.reference,
        chargeId: charge.id,
        run: (context) => {
          const now = core.store.find(request.gateway, charge.id) ?? charge;
          const result = core.charges.capture(withData(context, { metadata }), now, body);
          return resultOf(result, (code, message) => captureRefused(code, message, now, core.origin));
        },
      };
    },
  };
}

/** `POST /v1/payment_intents/{id}/cancel`: https://docs.stripe.com/api/payment_intents/cancel */
export function cancelIntent(core: SimulatorCore, request: StripeRequest, id: string): StripeEndpoint {
  const parsed = cancelParams.safeParse(request.params);
  const charge = findIntent(core, request, id);
  const reference = charge && followUpReference(charge, 'cancel', [request.idempotencyKey]);
  return {
    summary: { operation: 'cancel', amount: charge?.amount ?? null, reference },
    check: (account) => {
      if (!parsed.success) return invalidParameters(parsed.error);
      if (!isReadable(core, account, charge)) return missing('payment_intent', id, 'intent');
      const body = followUp(reference, charge.amount);
      return {
        reference: body.reference,
        chargeId: charge.id,
        run: (context) => {
          const now = core.store.find(request.gateway, charge.id) ?? charge;
          const data = { reason: parsed.data.cancellation_reason };
          const result = core.charges.cancel(withData(context, data), now, body);
          return resultOf(result, () => unexpectedState(now, 'cancel', CANCELABLE, core.origin));
        },
      };
    },
  };
}

/** `POST /v1/refunds`: https://docs.stripe.com/api/refunds/create */
export function createRefund(core: SimulatorCore, request: StripeRequest): StripeEndpoint {
  const parsed = refundParams.safeParse(request.params);
  const named = parsed.success ? parsed.data : null;
  const id = named?.payment_intent ?? named?.charge ?? '';
  const prefix = named?.payment_intent === undefined ? 'ch' : 'pi';
  const chargeId = chargeIdOf(prefix, id);
  const charge = chargeId === null ? null : core.store.find(request.gateway, chargeId);
  const amount = named?.amount ?? (charge === null ? null : charge.captured - charge.refunded);
  const metadata = named?.metadata ?? {};
  const reference =
    charge && followUpReference(charge, 'refund', [...Object.values(metadata), request.idempotencyKey]);
  return {
    summary: { operation: 'refund', amount, reference },
    check: (account) => {
      if (!parsed.success) return invalidParameters(parsed.error);
      if (id === '')
        return invalidRequest('One of the following params should be provided: payment_intent, charge.');
      const kind = prefix === 'pi' ? 'payment_intent' : 'charge';
      if (!isReadable(core, account, charge)) return missing(kind, id, kind, 400);
      if (parsed.data.amount !== undefined && parsed.data.amount < 1) return notPositive('amount');
      return {
        reference: reference ?? '',
        chargeId: charge.id,
        run: (context) => {
          const now = core.store.find(request.gateway, charge.id) ?? charge;
          const whole = now.captured - now.refunded;
          const body = followUp(reference, parsed.data.amount ?? whole, []);
          const problem = refundProblem(now, body.amount);
          if (problem !== null) return { response: problem };
          const splits = reversedSplits(now, parsed.data, body.amount);
          const data = { metadata, reason: parsed.data.reason };
          const result = core.charges.refund(withData(context, data), now, { ...body, splits });
          return resultOf(result, (_, message) => invalidRequest(message));
        },
      };
    },
  };
}

function findIntent(core: SimulatorCore, { gateway }: StripeRequest, id: string): StoredCharge | null {
  const chargeId = chargeIdOf('pi', id);
  return chargeId === null ? null : core.store.find(gateway, chargeId);
}

function followUp(
  reference: string | null,
  amount: number,
  splits: FollowUpBody['splits'] = [],
): FollowUpBody {
  return { reference: reference ?? '', amount, splits, reason: null, bank_account: null };
}

/** The transfer of a captured part: the fee stays, unless the capture names another one. */
function captureSplits(charge: StoredCharge, params: CaptureParams, amount: number): FollowUpBody['splits'] {
  const fee = params.application_fee_amount ?? intentDataOf(charge).transfer?.fee ?? null;
  return charge.splits.map((split) => {
    const net = params.transfer_data?.amount ?? (fee === null ? split.amount : amount - fee);
    return { ...split, amount: Math.max(0, Math.min(net, amount)) };
  });
}

/** `reverse_transfer` takes the connected account's part of the refund back, in proportion: https://docs.stripe.com/connect/destination-charges#issue-refunds */
function reversedSplits(charge: StoredCharge, { reverse_transfer }: RefundParams, amount: number) {
  if (!reverse_transfer) return [];
  return charge.splits.map((split) => ({
    ...split,
    amount: Math.round((split.amount * amount) / charge.captured),
  }));
}

function notPositive(param: string): SimulatorResponse {
  return invalidRequest('This value must be greater than or equal to 1.', {
    code: 'parameter_invalid_integer',
    param,
  });
}

const CANCELABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
];

/** https://docs.stripe.com/error-codes#payment-intent-unexpected-state */
function unexpectedState(charge: StoredCharge, verb: string, allowed: readonly string[], origin: string) {
  return errorResponse(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: `You cannot ${verb} this PaymentIntent because it has a status of ${intentStatusOf(charge)}. Only a PaymentIntent with one of the following statuses may be ${verb}ed: ${allowed.join(', ')}.`,
    details: { payment_intent: intentObject(charge, [], origin) },
  });
}

function captureRefused(
  code: string,
  message: string,
  charge: StoredCharge,
  origin: string,
): SimulatorResponse {
  switch (code) {
    case 'invalid_state':
      return unexpectedState(charge, 'capture', ['requires_capture'], origin);
    case 'amount_too_large':
      return invalidRequest('The amount to capture exceeds the authorized amount.', {
        code: 'amount_too_large',
        param: 'amount_to_capture',
      });
    case 'capture_window_passed':
      return invalidRequest('The authorization of this charge has expired.', {
        code: 'charge_expired_for_capture',
      });
    default:
      return invalidRequest(message);
  }
}

function refundProblem(charge: StoredCharge, amount: number): SimulatorResponse | null {
  // https://docs.stripe.com/payments/boleto#refunds: boletos cannot be refunded.
  if (charge.method === 'billet') {
    return invalidRequest('Charges of the payment method boleto cannot be refunded.', {
      param: 'payment_intent',
    });
  }
  if (charge.captured === 0) {
    return invalidRequest(
      `This PaymentIntent (${intentIdOf(charge.id)}) does not have a successful charge to refund.`,
      { code: 'payment_intent_unexpected_state', param: 'payment_intent' },
    );
  }
  const left = charge.captured - charge.refunded;
  if (left === 0) {
    return invalidRequest(`Charge ${stripeChargeIdOf(charge.id)} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  }
  const currency = charge.currency.toLowerCase();
  return amount <= left
    ? null
    : invalidRequest(
        `Refund amount (${shown(amount, currency)}) is greater than unrefunded amount on charge (${shown(left, currency)})`,
        { param: 'amount' },
      );
}
