import { DateTime } from 'luxon';
import { BRASILIA } from '../../../domain/time/timezone';
import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { StoredCharge } from '../../charge-store';
import { type CieloObject, paymentIdOf } from './endpoint';
import { saleDataOf } from './record';
import { returnOf } from './return-codes';
import { STATUS, statusOf } from './states';

const VENDOR_SUFFIX = 9;

/** A sale as `POST /1/sales/` and `GET /1/sales/{PaymentId}` answer it: the manual's examples of answers. */
export function saleObject(charge: StoredCharge, origin: string, customer: object = {}): CieloObject {
  const { merchant_order_id: MerchantOrderId } = saleDataOf(charge);
  return { MerchantOrderId, Customer: customer, Payment: paymentObject(charge, origin) };
}

function paymentObject(charge: StoredCharge, origin: string): CieloObject {
  const { type: Type, provider: Provider } = saleDataOf(charge);
  const [first] = charge.operations;
  return {
    ...(Provider !== null && { Provider }),
    ...methodOf(charge, origin),
    PaymentId: paymentIdOf(charge.id),
    Type,
    Amount: charge.amount,
    ReceivedDate: momentOf(first?.at),
    ...capturedPart(charge),
    ...voidedPart(charge),
    Currency: 'BRL',
    Country: 'BRA',
    ExtraDataCollection: [],
    Status: statusOf(charge),
    ...(charge.method !== 'billet' && returnOf(charge)),
    Links: linksOf(charge, origin),
  };
}

function methodOf(charge: StoredCharge, origin: string): CieloObject {
  switch (charge.method) {
    case 'card':
      return cardPart(charge);
    case 'pix':
      return pixPart(charge);
    case 'billet':
      return boletoPart(charge, origin);
  }
}

function cardPart(charge: StoredCharge): CieloObject {
  const data = saleDataOf(charge);
  const { authorizationCode, networkIds } = charge;
  return {
    ServiceTaxAmount: 0,
    Installments: data.installments,
    Interest: data.interest ?? 'ByMerchant',
    Capture: data.capture,
    Authenticate: false,
    Recurrent: data.recurrent,
    CreditCard: {
      CardNumber: data.card?.number,
      ExpirationDate: data.card?.expiration,
      SaveCard: false,
      Brand: data.card?.brand,
      ...(data.card?.on_file && { CardOnFile: data.card.on_file }),
    },
    ...acquirerPart(charge),
    ...(authorizationCode !== null && { AuthorizationCode: authorizationCode }),
    ...(data.soft_descriptor !== null && { SoftDescriptor: data.soft_descriptor }),
    ...(networkIds !== null && { IssuerTransactionId: networkIds.network_transaction_id }),
  };
}

/** The ids that the acquirer gives: 13 and 6 digits in the examples. */
export function acquirerPart({ id }: StoredCharge): CieloObject {
  return { Tid: digitsOf(id, 13), ProofOfSale: digitsOf(id, 6) };
}

function pixPart({ id, pix }: StoredCharge): CieloObject {
  const code = pix?.qrCode ?? '';
  return {
    AcquirerTransactionId: paymentIdOf(id),
    ProofOfSale: digitsOf(id, 6),
    QrcodeBase64Image: Buffer.from(code).toString('base64'),
    QrCodeString: code,
    ...(pix?.endToEndId && { EndToEndId: pix.endToEndId }),
  };
}

function boletoPart({ id, gateway, billet }: StoredCharge, origin: string): CieloObject {
  return {
    ...(billet?.instructions && { Instructions: billet.instructions }),
    ExpirationDate: billet?.dueAt,
    Url: `${origin}/${gateway}/billets/${id}`,
    Number: `${digitsOf(id, VENDOR_SUFFIX)}-2`,
    BarCodeNumber: billet?.barcode,
    DigitableLine: billet?.line,
  };
}

function capturedPart({ captured, operations }: StoredCharge): CieloObject {
  if (captured === 0) return {};
  const at = operations.find(({ operation }) => operation === 'capture')?.at ?? operations[0]?.at;
  return { CapturedAmount: captured, CapturedDate: momentOf(at) };
}

/** The sum of what was voided: the manual, on partial cancellation. */
function voidedPart({ status, amount, refunded, operations }: StoredCharge): CieloObject {
  const voided = status === 'canceled' ? amount : refunded;
  return voided === 0 ? {} : { VoidedAmount: voided, VoidedDate: momentOf(operations.at(-1)?.at) };
}

/** The addresses of what can be done next. The query host is below `apiquery` here. */
export function linksOf(charge: StoredCharge, origin: string): readonly CieloObject[] {
  const sale = `1/sales/${paymentIdOf(charge.id)}`;
  const host = hostOf(charge.gateway, origin);
  const self = { Method: 'GET', Rel: 'self', Href: `${host}/apiquery/${sale}` };
  const put = (Rel: string) => ({ Method: 'PUT', Rel, Href: `${host}/${sale}/${Rel}` });
  const status = statusOf(charge);
  if (status === STATUS.authorized && charge.method === 'card') return [self, put('capture'), put('void')];
  return status === STATUS.confirmed ? [self, put('void')] : [self];
}

const hostOf = (gateway: GatewaySlug, origin: string): string => `${origin}/${gateway}`;

/** `2022-07-29 17:16:21`, in Brasilia. */
export function momentOf(at: string | undefined): string {
  return DateTime.fromISO(at ?? '', { zone: BRASILIA }).toFormat('yyyy-MM-dd HH:mm:ss');
}

function digitsOf(chargeId: string, length: number): string {
  const number = BigInt(`0x${paymentIdOf(chargeId).replaceAll('-', '')}`) % 10n ** BigInt(length);
  return number.toString().padStart(length, '0');
}
