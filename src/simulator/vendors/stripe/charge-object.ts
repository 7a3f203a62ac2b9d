import type { StoredCharge } from '../../charge-store';
import { declineOf } from './declines';
import { intentIdOf, stripeChargeIdOf } from './ids';
import { intentDataOf, metadataOf } from './record';
import { amountRefundedOf, refundsOf, secondsOf, type StripeObject } from './refund-object';

const EMPTY_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
/** The fake keeps no customer data, so it repeats none. */
export const EMPTY_BILLING = { address: EMPTY_ADDRESS, email: null, name: null, phone: null, tax_id: null };

/** Null while a pix or boleto has no payment: Stripe creates the charge when the customer pays. */
export function latestChargeOf(charge: StoredCharge, expand: readonly string[] = []): StripeObject | null {
  return charge.method !== 'card' && charge.captured === 0 ? null : chargeObject(charge, expand);
}

/** https://docs.stripe.com/api/charges/object. `expand` names fields of the charge. */
export function chargeObject(charge: StoredCharge, expand: readonly string[] = []): StripeObject {
  const data = intentDataOf(charge);
  const refunded = amountRefundedOf(charge);
  const failed = charge.operations[0]?.status === 'declined';
  const decline = declineOf(charge);
  const id = stripeChargeIdOf(charge.id);
  const refunds = {
    object: 'list',
    data: refundsOf(charge),
    has_more: false,
    url: `/v1/charges/${id}/refunds`,
  };
  return {
    id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: charge.captured,
    amount_refunded: refunded,
    application: null,
    application_fee: null,
    application_fee_amount: data.transfer?.fee ?? null,
    balance_transaction: null,
    billing_details: EMPTY_BILLING,
    calculated_statement_descriptor: null,
    captured: charge.captured > 0,
    created: secondsOf(charge.operations[0]?.at ?? ''),
    currency: charge.currency.toLowerCase(),
    customer: null,
    description: data.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failed ? decline.code : null,
    failure_message: failed ? decline.message : null,
    fraud_details: {},
    livemode: false,
    metadata: metadataOf(charge),
    on_behalf_of: null,
    outcome: outcomeOf(charge, failed),
    paid: !failed,
    payment_intent: intentIdOf(charge.id),
    payment_method: data.payment_method,
    payment_method_details: detailsOf(charge),
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: refunded >= charge.amount,
    ...(expand.includes('refunds') && { refunds }),
    review: null,
    shipping: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: data.statement_descriptor_suffix,
    status: failed ? 'failed' : 'succeeded',
    transfer_data: data.transfer && { destination: data.transfer.destination, amount: data.transfer.amount },
    transfer_group: null,
  };
}

/** https://docs.stripe.com/declines/card, https://docs.stripe.com/api/charges/object#charge_object-outcome */
function outcomeOf(charge: StoredCharge, failed: boolean): StripeObject {
  const decline = declineOf(charge);
  return {
    advice_code: failed ? decline.advice : null,
    network_advice_code: failed ? charge.adviceCode : null,
    network_decline_code: failed ? charge.code : null,
    network_status: failed ? 'declined_by_network' : 'approved_by_network',
    reason: failed ? decline.declineCode : null,
    risk_level: 'normal',
    risk_score: 1,
    seller_message: failed
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: failed ? 'issuer_declined' : 'authorized',
  };
}

function detailsOf(charge: StoredCharge): StripeObject {
  switch (charge.method) {
    case 'card':
      return { type: 'card', card: cardDetails(charge) };
    case 'pix':
      return { type: 'pix', pix: { bank_transaction_id: charge.pix?.endToEndId ?? null } };
    case 'billet':
      return { type: 'boleto', boleto: { tax_id: null } };
  }
}

function cardDetails(charge: StoredCharge): StripeObject {
  const { card } = intentDataOf(charge);
  return {
    amount_authorized: charge.operations[0]?.status === 'declined' ? null : charge.amount,
    authorization_code: charge.authorizationCode,
    brand: card?.brand ?? null,
    ...(charge.captureBefore !== null && { capture_before: secondsOf(charge.captureBefore) }),
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: null },
    country: 'BR',
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    fingerprint: null,
    funding: 'credit',
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_token: { used: false },
    network_transaction_id: charge.networkIds?.network_transaction_id ?? null,
    three_d_secure: null,
    wallet: null,
  };
}
