import { assertNever } from '../../../domain/shared/assert-never';
import type { SimulatorCommit } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import { chargeObject } from './charge-object';
import { declineFields, intentObject, paymentErrorOf } from './intent-object';
import { refundObject, type StripeObject } from './refund-object';

/** The answer to the operation of a commit. It depends on nothing else, so that a repeated key has the same answer. */
export function answerTo(
  { charge, operation }: SimulatorCommit,
  expand: readonly string[],
  origin: string,
): SimulatorResponse {
  const declined = operation.status === 'declined';
  switch (operation.operation) {
    case 'charge':
    case 'authorize':
      // https://docs.stripe.com/api/errors: a card that cannot be charged is a 402 with the PaymentIntent.
      return declined
        ? cardError({ ...paymentErrorOf(charge), payment_intent: intentObject(charge, expand, origin) })
        : ok(intentObject(charge, expand, origin));
    case 'capture':
    case 'cancel': {
      const payment_intent = intentObject(charge, expand, origin);
      return declined ? cardError({ ...declineFields(operation), payment_intent }) : ok(payment_intent);
    }
    case 'refund': {
      // https://docs.stripe.com/refunds#failed-refunds: a refund that fails is an object with the status `failed`.
      const position = charge.operations.indexOf(operation);
      return ok(expandedRefund(refundObject(charge, position) ?? {}, { charge, expand, origin }));
    }
    default:
      return assertNever(operation.operation);
  }
}

export function expandedRefund(
  refund: StripeObject,
  {
    charge,
    expand,
    origin,
  }: { charge: SimulatorCommit['charge']; expand: readonly string[]; origin: string },
): StripeObject {
  return {
    ...refund,
    ...(expand.includes('charge') && { charge: chargeObject(charge) }),
    ...(expand.includes('payment_intent') && { payment_intent: intentObject(charge, [], origin) }),
  };
}

function ok(body: StripeObject): SimulatorResponse {
  return { status: 200, body };
}

function cardError(error: StripeObject): SimulatorResponse {
  return { status: 402, body: { error } };
}
