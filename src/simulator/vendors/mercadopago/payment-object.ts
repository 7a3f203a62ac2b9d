import type { StoredCharge, StoredDispute, StoredOperation } from '../../charge-store';
import type { SimulatorCore } from '../adapter';
import { instant, type MercadoPagoObject, reais } from './endpoint';
import { chargebackIdOf, paymentIdOf, refundIdOf, userIdOf } from './ids';
import { type MercadoPagoData, paymentDataOf } from './record';
import { refundStateOf, stateOf } from './states';

/** What objects show beside the charge. */
export interface Shown {
  readonly core: SimulatorCore;
  /** The core's ids of the charges that cardholders dispute. They are in memory, as a dispute is no operation of the core. */
  readonly disputed: ReadonlySet<string>;
}

const TYPES = { card: 'credit_card', pix: 'bank_transfer', billet: 'ticket' } as const;
const METHOD_IDS = { card: 'visa', pix: 'pix', billet: 'bolbradesco' } as const;
const NOBODY = {
  type: null,
  id: null,
  operator_id: null,
  email: null,
  identification: { type: null, number: null },
  phone: { area_code: null, number: null, extension: null },
  first_name: null,
  last_name: null,
  entity_type: null,
} as const;
/** An image of one pixel: a real one shows the code of the pix. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * A payment, as the mocks `payment_base` and `payment_search` of mercadopago/sdk-php and the recorded answers show it. The
 * payer's data is not kept.
 */
export function paymentObject(charge: StoredCharge, showing: Shown, expands = false): MercadoPagoObject {
  const data = paymentDataOf(charge);
  const entries = showing.core.store.ledger
    .ofReference(charge.reference)
    .filter(({ charge_id }) => charge_id === charge.id);
  const created = charge.operations[0]?.at ?? '';
  const approved = entries.find(({ kind }) => kind === 'captured')?.created_at;
  const updated = [charge.operations.at(-1)?.at ?? created, entries.at(-1)?.created_at ?? created].toSorted();
  return {
    id: paymentIdOf(charge.id),
    date_created: instant(created),
    date_approved: approved === undefined ? null : instant(approved),
    date_last_updated: instant(updated.at(-1) ?? created),
    date_of_expiration: charge.expiresAt === null ? null : instant(charge.expiresAt),
    money_release_date: approved === undefined ? null : instant(approved),
    operation_type: 'regular_payment',
    issuer_id: issuerOf(charge),
    payment_method_id: methodIdOf(charge, data),
    payment_type_id: TYPES[charge.method],
    ...stateOf(charge, showing.disputed.has(charge.id)),
    currency_id: charge.currency,
    description: data.description,
    live_mode: false,
    sponsor_id: null,
    authorization_code: charge.authorizationCode,
    counter_currency: null,
    collector_id: userIdOf(charge.account),
    payer: NOBODY,
    metadata: data.metadata,
    additional_info: {},
    external_reference: data.external_reference,
    transaction_amount: reais(amountOf(charge)),
    transaction_amount_refunded: reais(charge.refunded),
    coupon_amount: 0,
    differential_pricing_id: null,
    deduction_schema: null,
    transaction_details: detailsOf(charge, data, showing),
    captured: charge.captured > 0,
    binary_mode: data.binary_mode,
    call_for_authorize_id: null,
    statement_descriptor: data.statement_descriptor,
    installments: data.installments,
    card: cardOf(data, created),
    notification_url: data.notification_url,
    processing_mode: 'aggregator',
    merchant_account_id: null,
    acquirer: null,
    merchant_number: null,
    money_release_schema: null,
    taxes_amount: 0,
    shipping_amount: 0,
    pos_id: null,
    store_id: null,
    integrator_id: null,
    platform_id: null,
    corporation_id: null,
    order: {},
    payment_method: {
      id: methodIdOf(charge, data),
      type: TYPES[charge.method],
      issuer_id: issuerOf(charge),
    },
    fee_details: feesOf(charge, data),
    charges_details: [],
    refunds: refundsOf(charge),
    point_of_interaction: pointOf(charge, data, showing),
    ...(expands && { expanded: { gateway: { reference: referenceOf(charge) } } }),
  };
}

/** Not documented: a capture in part changes the amount of the payment, as the request names it `transaction_amount`. */
function amountOf({ method, captured, amount }: StoredCharge): number {
  return method === 'card' && captured > 0 ? captured : amount;
}

function issuerOf({ method }: StoredCharge): string | null {
  return { card: '24', pix: '12501', billet: null }[method];
}

function methodIdOf({ method }: StoredCharge, data: MercadoPagoData): string {
  return data.payment_method_id ?? METHOD_IDS[method];
}

function detailsOf(charge: StoredCharge, data: MercadoPagoData, { core }: Shown): MercadoPagoObject {
  const { billet } = charge;
  const paid = charge.method === 'card' ? amountOf(charge) : Math.max(charge.paid, charge.amount);
  const page = `${core.origin}/${charge.gateway}/billets/${charge.id}`;
  return {
    payment_method_reference_id: billet === null ? null : billet.barcode.slice(-11),
    net_received_amount: reais(Math.max(0, charge.captured - charge.fee)),
    total_paid_amount: reais(paid),
    overpaid_amount: reais(Math.max(0, charge.paid - charge.amount)),
    external_resource_url: billet === null ? null : page,
    installment_amount: charge.method === 'card' ? reais(Math.round(paid / data.installments)) : 0,
    financial_institution: null,
    payable_deferral_period: null,
    acquirer_reference: null,
    ...(billet !== null && { barcode: { content: billet.barcode }, digitable_line: billet.line }),
    ...(charge.pix !== null && { transaction_id: bankTransactionOf(charge) }),
  };
}

const bankTransactionOf = ({ pix }: StoredCharge): string | null =>
  (pix?.endToEndId ?? null) === null ? null : `PIX${pix?.endToEndId}`;

function feesOf({ fee, captured }: StoredCharge, { application_fee }: MercadoPagoData): MercadoPagoObject[] {
  if (captured === 0) return [];
  return [
    { type: 'mercadopago_fee', cents: fee - application_fee },
    { type: 'application_fee', cents: application_fee },
  ]
    .filter(({ cents }) => cents > 0)
    .map(({ type, cents }) => ({ type, amount: reais(cents), fee_payer: 'collector' }));
}

function cardOf({ card }: MercadoPagoData, at: string): MercadoPagoObject {
  if (card === null) return {};
  return {
    id: null,
    ...card,
    date_created: instant(at),
    date_last_updated: instant(at),
    cardholder: { name: null, identification: { number: null, type: null } },
  };
}

/** https://www.mercadopago.com.br/developers/en/docs/checkout-api/integration-configuration/integrate-with-pix; `e2e_id`: mercadopago/sdk-php, `TransactionData`. */
function pointOf(charge: StoredCharge, data: MercadoPagoData, { core }: Shown): MercadoPagoObject {
  if (charge.pix === null) return data.point_of_interaction ?? {};
  const ticket = `${core.origin}/${charge.gateway}/payments/${paymentIdOf(charge.id)}/ticket`;
  return {
    type: 'OPENPLATFORM',
    business_info: { unit: 'online_payments', sub_unit: 'default' },
    transaction_data: {
      qr_code: charge.pix.qrCode,
      qr_code_base64: PIXEL,
      ticket_url: ticket,
      transaction_id: bankTransactionOf(charge),
      e2e_id: charge.pix.endToEndId,
      bank_transfer_id: null,
      financial_institution: null,
    },
  };
}

/** SDK 3.6.1, `GatewayReference`: only for a request with the header `X-Expand-Responde-Nodes: gateway.reference`. */
function referenceOf({ networkIds }: StoredCharge): MercadoPagoObject {
  return {
    network_transaction_id: networkIds?.network_transaction_id ?? null,
    network_data: {
      transaction_id: networkIds?.network_transaction_id ?? null,
      transaction_link_id: networkIds?.transaction_link_id ?? null,
    },
  };
}

export function refundsOf(charge: StoredCharge): MercadoPagoObject[] {
  return charge.operations.flatMap((operation, position) =>
    operation.operation === 'refund' ? [refundObject(charge, operation, position)] : [],
  );
}

/** Mock `payment_refund` of mercadopago/sdk-php. No reference of the merchant's. */
export function refundObject(
  charge: StoredCharge,
  operation: StoredOperation,
  position = charge.operations.indexOf(operation),
): MercadoPagoObject {
  return {
    id: refundIdOf(charge.id, position),
    payment_id: paymentIdOf(charge.id),
    amount: reais(operation.amount),
    metadata: { status_detail: null },
    source: { id: String(userIdOf(charge.account)), name: 'Loja do Simulador', type: 'collector' },
    date_created: instant(operation.at),
    expiration_date: null,
    unique_sequence_number: null,
    refund_mode: 'standard',
    adjustment_amount: 0,
    status: refundStateOf(operation),
    reason: null,
    labels: [],
    amount_refunded_to_payer: reais(operation.amount),
    additional_data: null,
    partition_details: [],
  };
}

/** https://www.mercadopago.com.br/developers/en/docs/checkout-pro/chargebacks/manage: a chargeback of the ledger. */
export function listedChargeback(charge: StoredCharge, dispute: StoredDispute): MercadoPagoObject {
  const { id, status, amount, reasonCode, evidenceDueAt, changedAt } = dispute;
  const covered = { opened: null, submitted: null, won: true, lost: false }[status];
  return {
    id: String(chargebackIdOf(id)),
    payments: [paymentIdOf(charge.id)],
    currency: charge.currency,
    amount: reais(amount),
    reason: reasonCode ?? 'general',
    coverage_applied: covered,
    coverage_elegible: true,
    documentation_required: status === 'opened',
    documentation_status: status === 'submitted' ? 'review_pending' : 'not_supplied',
    documentation: (dispute.evidence ?? []).map(({ kind }) => ({
      type: kind.split('.').at(-1),
      url: `https://example.com/${kind}`,
      description: '',
    })),
    date_documentation_deadline: evidenceDueAt === null ? null : instant(evidenceDueAt),
    date_created: instant(changedAt),
    date_last_updated: instant(changedAt),
    live_mode: true,
  };
}

/** Mock `chargeback_base` of mercadopago/sdk-php. */
export function chargebackObject(charge: StoredCharge): MercadoPagoObject {
  const at = instant(charge.operations.at(-1)?.at ?? '');
  return {
    id: String(chargebackIdOf(charge.id)),
    payment_id: paymentIdOf(charge.id),
    status: 'in_review',
    amount: reais(charge.captured),
    currency_id: charge.currency,
    reason_id: '4853',
    reason: 'Cardholder dispute',
    date_created: at,
    last_modified: at,
  };
}
