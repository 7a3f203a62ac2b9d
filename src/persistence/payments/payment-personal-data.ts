import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import type { MakeNullishOptional } from 'sequelize/types/utils';
import {
  openPersonal,
  type CustomerKey,
  type PersonalDataCipher,
} from '../../domain/customers/personal-data';
import type { BillingAddress, CardSnapshot, CustomerSnapshot } from '../../domain/shared/payment-snapshot';
import { NO_PURCHASE_DETAILS, type PurchaseDetails } from '../../domain/shared/purchase-details';
import { CUSTOMER_KEY } from '../customers/customer-repository';
import type { PaymentModel } from '../models/payment';

/** A payment's personal data, as the request gave it. Null once the customer is erased. */
interface PaymentPersonalData {
  readonly customer: CustomerSnapshot;
  readonly card: CardSnapshot | null;
  readonly billingAddress: BillingAddress | null;
  readonly purchase: PurchaseDetails;
  /** The key of the customer, with which the payment's data is sealed wherever it is stored. */
  readonly customerKey: CustomerKey | null;
}

type Sealed = 'customer' | 'card' | 'personalData';

/** As stored. */
export type PaymentRow = InferAttributes<PaymentModel> & Pick<PaymentPersonalData, 'customerKey'>;
export type PaymentRecord = Omit<InferAttributes<PaymentModel>, Sealed> & PaymentPersonalData;
export type NewPayment = Omit<MakeNullishOptional<InferCreationAttributes<PaymentModel>>, Sealed> &
  PaymentPersonalData;

/** The key of a payment's customer, as SQL over a row of `payments`. */
export const KEY_OF_PAYMENT = {
  customerKey: `(SELECT ${CUSTOMER_KEY} FROM customers c WHERE c.id = "payments"."customer_id")`,
};

/** What is sealed. */
interface Opened extends Pick<CustomerSnapshot, 'name' | 'email' | 'document' | 'phone' | 'address'> {
  readonly holderName: string | null;
  readonly billingAddress: BillingAddress | null;
  /** Payments of before 2026-11-23 have none. */
  readonly purchase?: PurchaseDetails;
}

const ERASED: Opened = {
  ...{ name: null, email: null, document: null, phone: null, address: null },
  ...{ holderName: null, billingAddress: null },
};

export async function openPayment(cipher: PersonalDataCipher, row: PaymentRow): Promise<PaymentRecord> {
  const { personalData, customer, card, customerKey, ...others } = row;
  const opened = await openPersonal<Opened>(cipher, customerKey, personalData, recordOf(row.transactionId));
  const { holderName, billingAddress, purchase = NO_PURCHASE_DETAILS, ...details } = opened ?? ERASED;
  return {
    ...others,
    customer: { ...customer, ...details },
    card: card && { ...card, holderName },
    billingAddress,
    purchase,
    customerKey,
  };
}

/** The stored form of a new payment. */
export async function sealPayment(cipher: PersonalDataCipher, payment: NewPayment) {
  const { customer, card, billingAddress, purchase, customerKey, ...others } = payment;
  if (customerKey === null) throw new Error('the customer of a new payment is erased');
  const { id, token, type, ...details } = customer;
  const personal: Opened = { ...details, holderName: card?.holderName ?? null, billingAddress, purchase };
  return {
    ...others,
    customer: { id, token, type },
    card: withoutHolder(card),
    personalData: await cipher.seal(customerKey, personal, recordOf(payment.transactionId)),
  };
}

export function withoutHolder(card: CardSnapshot | null): Omit<CardSnapshot, 'holderName'> | null {
  if (card === null) return null;
  const { holderName: _sealed, ...stored } = card;
  return stored;
}

function recordOf(transactionId: string): string {
  return `payments:${transactionId}`;
}
