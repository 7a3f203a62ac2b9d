import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import type { MakeNullishOptional } from 'sequelize/types/utils';
import {
  openPersonal,
  type CustomerKey,
  type PersonalDataCipher,
} from '../../domain/customers/personal-data';
import type { BillingAddress, CardSnapshot } from '../../domain/shared/payment-snapshot';
import { UNKNOWN_PAYER, type Payer } from '../../domain/shared/purchase-details';
import { CUSTOMER_KEY } from '../customers/customer-repository';
import type { SubscriptionModel } from '../models/subscription';

/** The card and the payer of a subscription with their personal data, which is null once the customer is erased. */
interface SubscriptionPersonalData {
  readonly card: CardSnapshot;
  readonly billingAddress: BillingAddress | null;
  readonly payer: Payer;
  /** With which the personal data is sealed. */
  readonly customerKey: CustomerKey | null;
}

type Sealed = 'card' | 'personalData';

/** As stored. */
export type StoredSubscriptionRow = InferAttributes<SubscriptionModel> &
  Pick<SubscriptionPersonalData, 'customerKey'>;
export type SubscriptionRow = Omit<InferAttributes<SubscriptionModel>, Sealed> & SubscriptionPersonalData;
export type NewSubscription = Omit<MakeNullishOptional<InferCreationAttributes<SubscriptionModel>>, Sealed> &
  SubscriptionPersonalData;

/** The key of a subscription's customer, as SQL over a row of `subscriptions`. */
export const KEY_OF_SUBSCRIPTION = {
  customerKey: `(SELECT ${CUSTOMER_KEY} FROM customers c WHERE c.id = "subscriptions"."customer_id")`,
};

/** What is personal of a card on file and of its payer. */
interface Opened {
  readonly holderName: string | null;
  readonly billingAddress: BillingAddress | null;
  /** Omitted in what was stored before 2026-11-23. */
  readonly payer?: Payer;
}

export async function openSubscription(
  cipher: PersonalDataCipher,
  { personalData, card, ...row }: StoredSubscriptionRow,
): Promise<SubscriptionRow> {
  const opened = await openCardOnFile(cipher, row.customerKey, personalData, recordOf(row.uuid));
  const { holderName, billingAddress, payer = UNKNOWN_PAYER } = opened;
  return { ...row, card: { ...card, holderName }, billingAddress, payer };
}

/** The columns of a card on file: for a new subscription, or one with a new card. */
export async function sealSubscriptionCard(
  cipher: PersonalDataCipher,
  key: CustomerKey | null,
  uuid: string,
  card: Pick<SubscriptionPersonalData, 'card' | 'billingAddress' | 'payer'>,
): Promise<Pick<InferAttributes<SubscriptionModel>, Sealed>> {
  return sealCardOnFile(cipher, key, card, recordOf(uuid));
}

/** @throws if the customer is erased */
export async function sealCardOnFile(
  cipher: PersonalDataCipher,
  key: CustomerKey | null,
  {
    card,
    billingAddress,
    payer,
  }: Pick<SubscriptionPersonalData, 'card' | 'billingAddress'> & { readonly payer?: Payer },
  record: string,
): Promise<Pick<InferAttributes<SubscriptionModel>, Sealed>> {
  if (key === null) throw new Error('the customer of a new card is erased');
  const { holderName, ...stored } = card;
  const personal: Opened = { holderName, billingAddress, ...(payer && { payer }) };
  return { card: stored, personalData: await cipher.seal(key, personal, record) };
}

export async function openCardOnFile(
  cipher: PersonalDataCipher,
  key: CustomerKey | null,
  personalData: string | null,
  record: string,
): Promise<Opened> {
  const opened = await openPersonal<Opened>(cipher, key, personalData, record);
  return opened ?? { holderName: null, billingAddress: null };
}

function recordOf(uuid: string): string {
  return `subscriptions:${uuid}`;
}
