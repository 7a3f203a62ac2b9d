import { DateTime } from 'luxon';
import type { SimulatorCommit, StoredCharge, StoredOperation } from '../../charge-store';
import type { AdyenObject } from './endpoint';
import { pspReferenceOf } from './ids';
import { merchantReferenceOf, modificationDataOf, paymentDataOf, variantOf } from './record';
import { acquirerDataOf, reasonOf } from './refusals';

const ZONE = 'America/Sao_Paulo';

/** `PaymentResponse` to `POST /payments`, as it was first answered: a repeated key shows the same. */
export function paymentObject({ charge, operation }: SimulatorCommit, origin: string): AdyenObject {
  return {
    ...paymentResultOf(charge, operation),
    pspReference: pspReferenceOf(charge.id),
    merchantReference: merchantReferenceOf(charge),
    amount: { currency: charge.currency, value: operation.amount },
    ...(operation.status === 'pending' && { action: actionOf(charge, origin) }),
    ...(charge.method === 'card' && { paymentMethod: { brand: variantOf(charge), type: 'scheme' } }),
  };
}

/** Result codes: https://docs.adyen.com/online-payments/build-your-integration/payment-result-codes */
function paymentResultOf(charge: StoredCharge, operation: StoredOperation): AdyenObject {
  if (operation.status === 'declined') {
    const [refusalReasonCode, refusalReason] = reasonOf(operation);
    return {
      resultCode: 'Refused',
      refusalReason,
      refusalReasonCode,
      additionalData: { ...cardDataOf(charge), ...acquirerDataOf(operation) },
    };
  }
  if (operation.status !== 'pending')
    return { resultCode: 'Authorised', additionalData: authorisedDataOf(charge) };
  // The example of https://docs.adyen.com/payment-methods/pix has `Pending` and the expiry; vouchers are `PresentToShopper`.
  return charge.method === 'pix'
    ? { resultCode: 'Pending', additionalData: { 'pix.expirationDate': localTime(charge.expiresAt) } }
    : { resultCode: 'PresentToShopper' };
}

/** Of an approved card: what the account selected under "Additional data". */
export function authorisedDataOf(charge: StoredCharge): Record<string, string> {
  const { networkIds, authorizationCode } = charge;
  const { network_transaction_id: id, transaction_link_id: link } = networkIds ?? {};
  return {
    ...cardDataOf(charge),
    ...(authorizationCode !== null && { authCode: authorizationCode }),
    refusalReasonRaw: 'AUTHORISED',
    ...(id && { networkTxReference: id }),
    ...(link && { transactionLinkId: link }),
  };
}

export function cardDataOf(charge: StoredCharge): Record<string, string> {
  const { card, installments } = paymentDataOf(charge);
  return card === null
    ? {}
    : {
        cardSummary: card.summary,
        expiryDate: card.expiry,
        ...(installments !== null && { 'installments.value': String(installments) }),
      };
}

/** `CheckoutQrCodeAction` and `CheckoutVoucherAction`; the voucher's fields are those of Adyen/adyen-web's test of boletos. */
function actionOf(charge: StoredCharge, origin: string): AdyenObject {
  const paymentMethodType = variantOf(charge);
  const { pix, billet, amount: value, currency } = charge;
  if (pix !== null) {
    const paymentData = Buffer.from(charge.id).toString('base64');
    return { type: 'qrCode', paymentMethodType, paymentData, qrCodeData: pix.qrCode };
  }
  const amount = { currency, value };
  return {
    type: 'voucher',
    paymentMethodType,
    reference: formattedLine(billet?.line ?? ''),
    downloadUrl: `${origin}/${charge.gateway}/billets/${charge.id}`,
    expiresAt: `${billet?.dueAt ?? ''}T00:00:00`,
    initialAmount: amount,
    totalAmount: amount,
    merchantReference: merchantReferenceOf(charge),
  };
}

/** `2021-12-21T13:00:00-03:00`. */
function localTime(at: string | null): string {
  return DateTime.fromISO(at ?? '', { zone: ZONE }).toISO({ suppressMilliseconds: true }) ?? '';
}

/** `03399.37473 12342.547284 85272.394939 1 81630000001000`. */
function formattedLine(line: string): string {
  return line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');
}

/** The answer to a capture, cancel, refund or reversal: only that it was received. */
export function modificationObject({ charge, operation }: SimulatorCommit): AdyenObject {
  const { event, reference, merchant_refund_reason: reason } = modificationDataOf(operation);
  const hasAmount = event === 'CAPTURE' || event === 'REFUND';
  return {
    merchantAccount: paymentDataOf(charge).merchant_account,
    ...(event === 'TECHNICAL_CANCEL'
      ? { paymentReference: merchantReferenceOf(charge) }
      : { paymentPspReference: pspReferenceOf(charge.id) }),
    pspReference: pspReferenceOf(charge.id, charge.operations.indexOf(operation)),
    ...(reference !== null && { reference }),
    status: 'received',
    ...(hasAmount && { amount: { currency: charge.currency, value: operation.amount } }),
    ...(reason !== null && { merchantRefundReason: reason }),
  };
}
