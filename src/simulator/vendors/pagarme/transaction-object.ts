import type { StoredCharge, StoredOperation } from '../../charge-store';
import { instant, type PagarmeObject } from './endpoint';
import { gatewayIdOf, transactionIdOf } from './ids';
import { type OrderData, orderDataOf } from './record';
import { splitsObject } from './splits';
import { reviewOf, transactionPositions, transactionStateOf } from './states';

export const PAYMENT_METHODS = { card: 'credit_card', pix: 'pix', billet: 'boleto' } as const;

const CANCELS: ReadonlySet<string> = new Set(['cancel', 'refund']);
const FAILED: ReadonlySet<string> = new Set(['not_authorized', 'failed', 'with_error', 'expired']);

/** The transaction of the operation at a position. SDK 7.0.2: `getTransactionResponse` and its kinds. */
export function transactionObject(charge: StoredCharge, position: number, origin: string): PagarmeObject {
  const operation = charge.operations[position];
  if (operation === undefined) return {};
  const data = orderDataOf(charge);
  const status = transactionStateOf(charge, position);
  const isFirst = position === 0;
  const success = !FAILED.has(status);
  return {
    id: transactionIdOf(charge.id, position),
    transaction_type: PAYMENT_METHODS[charge.method],
    gateway_id: gatewayIdOf(charge.id, position),
    amount: operation.amount,
    status,
    success,
    ...methodFields(charge, operation, data, origin),
    created_at: instant(operation.at),
    updated_at: instant(operation.at),
    gateway_response: gatewayResponseOf(isFirst ? data.gateway_errors : [], isFirst),
    antifraud_response: isFirst ? antifraudOf(charge) : {},
    metadata: data.metadata,
    ...(charge.splits.length > 0 && { split: splitsObject(data.split) }),
  };
}

/** Recorded: 201 for a new transaction, 200 for a later one, 400 and more with errors. */
function gatewayResponseOf(errors: readonly string[], isFirst: boolean): PagarmeObject {
  // https://docs.pagar.me/reference/erros-1, errors of the payment service provider: code 412 with the messages.
  if (errors.length > 0) return { code: '412', errors: errors.map((message) => ({ message })) };
  return { code: isFirst ? '201' : '200', errors: [] };
}

function methodFields(
  charge: StoredCharge,
  operation: StoredOperation,
  data: OrderData,
  origin: string,
): PagarmeObject {
  switch (charge.method) {
    case 'card':
      return cardFields(charge, operation, data);
    case 'pix':
      return pixFields(charge, origin);
    case 'billet':
      return boletoFields(charge, data, origin);
  }
}

function cardFields(charge: StoredCharge, operation: StoredOperation, data: OrderData): PagarmeObject {
  const operationType = {
    charge: 'auth_and_capture',
    authorize: data.in_review ? 'auth_and_capture' : 'auth_only',
    capture: 'capture',
    cancel: 'cancel',
    refund: 'cancel',
  }[operation.operation];
  const acquired = data.gateway_errors.length === 0;
  const advice = operation.adviceCode;
  return {
    operation_type: operationType,
    ...(!CANCELS.has(operation.operation) && { installments: data.installments }),
    ...(data.statement_descriptor !== null && { statement_descriptor: data.statement_descriptor }),
    ...(data.card !== null && { card: cardObject(data.card, operation.at) }),
    ...(acquired && acquirerFields(charge, operation)),
    ...(charge.networkIds !== null && { brand_id: charge.networkIds.network_transaction_id }),
    // The network's advice, without leading zeros (the page above).
    ...(advice !== null && {
      retry_info: {
        brand_failure_return_code: String(Number(advice)),
        transaction_limit: null,
        transaction_date_limit: null,
      },
    }),
  };
}

/** Recorded: a decline (`failed-authorize`) has no number of the acquirer, a cancel (`successful-void`) no message. */
function acquirerFields(charge: StoredCharge, { operation, status, message, code }: StoredOperation) {
  return {
    acquirer_name: 'pagarme',
    ...(status !== 'declined' && {
      acquirer_tid: gatewayIdOf(charge.id),
      acquirer_nsu: gatewayIdOf(charge.id),
      acquirer_auth_code: charge.authorizationCode,
    }),
    ...((status === 'declined' || !CANCELS.has(operation)) && { acquirer_message: message }),
    // https://docs.pagar.me/docs/códigos-de-retorno-padrão-abecs: the network's code in ABECS' form.
    ...(code !== null && { acquirer_return_code: code }),
  };
}

/** SDK 7.0.2: `getCardResponse`. */
export function cardObject(card: NonNullable<OrderData['card']>, at: string): PagarmeObject {
  return { ...card, status: 'active', type: 'credit', created_at: instant(at), updated_at: instant(at) };
}

/** https://docs.pagar.me/reference/pix-2. `qr_code` is the text to copy, `qr_code_url` an image. */
function pixFields(charge: StoredCharge, origin: string): PagarmeObject {
  if (charge.pix === null) return {};
  const { qrCode, endToEndId } = charge.pix;
  return {
    qr_code: qrCode,
    qr_code_url: `${origin}/${charge.gateway}/core/v5/transactions/${transactionIdOf(charge.id, 0)}/qrcode?payment_method=pix`,
    ...(charge.expiresAt !== null && { expires_at: instant(charge.expiresAt) }),
    ...(endToEndId !== null && { end_to_end_id: endToEndId }),
    pix_provider_tid: gatewayIdOf(charge.id),
  };
}

/** SDK 7.0.2: `getBoletoTransactionResponse`. As in Pagar.me's examples, `barcode` is the address of an image, and `line` has dots and blanks. */
function boletoFields(charge: StoredCharge, data: OrderData, origin: string): PagarmeObject {
  if (charge.billet === null) return {};
  const { line, dueAt, instructions } = charge.billet;
  const page = `${origin}/${charge.gateway}/billets/${charge.id}`;
  const transaction = `${origin}/${charge.gateway}/core/v5/transactions/${transactionIdOf(charge.id, 0)}`;
  return {
    url: page,
    pdf: `${transaction}/pdf`,
    line: formattedLine(line),
    barcode: `${transaction}/barcode`,
    qr_code: `${transaction}/qrcode`,
    nosso_numero: gatewayIdOf(charge.id),
    type: 'DM',
    bank: '999',
    ...(data.document_number !== null && { document_number: data.document_number }),
    ...(data.max_days_to_pay_past_due !== null && {
      max_days_to_pay_past_due: data.max_days_to_pay_past_due,
    }),
    instructions,
    due_at: `${dueAt}T23:59:59Z`,
    ...(charge.paid > 0 && { paid_amount: String(charge.paid) }),
  };
}

function formattedLine(line: string): string {
  return line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');
}

/** SDK 7.0.2: `getAntifraudResponse`. */
function antifraudOf(charge: StoredCharge): PagarmeObject {
  const status = reviewOf(charge);
  return status === null
    ? {}
    : { status, provider_name: 'pagarme', score: status === 'reproved' ? 'very_high' : 'low' };
}

export function lastTransactionObject(charge: StoredCharge, origin: string): PagarmeObject {
  return transactionObject(charge, transactionPositions(charge).at(-1) ?? 0, origin);
}

/** Every transaction of a charge, newest first. */
export function transactionsOf(charge: StoredCharge, origin: string): PagarmeObject[] {
  return transactionPositions(charge)
    .map((position) => transactionObject(charge, position, origin))
    .toReversed();
}
