import {
  openPersonal,
  putPersonal,
  takePersonal,
  type CustomerKey,
  type PersonalContent,
  type PersonalDataCipher,
  type PersonalPart,
} from '../../domain/customers/personal-data';
import { CUSTOMER_KEY } from './customer-repository';

/** A body with null in place of the personal data, which is sealed. */
export interface SealedContent {
  readonly content: string;
  readonly customerId: number | null;
  readonly personalData: string | null;
}

/** A stored body as `SEALED_CONTENT` reads it. */
export interface StoredContent {
  readonly content: unknown;
  readonly customerKey: CustomerKey | null;
  readonly personalData: string | null;
}

/** The columns that open a body, of a row `stored` with a `customer_id` and `personal_data`. */
export const sealedContentOf = (stored: string): string =>
  `${stored}.personal_data AS "personalData",
   (SELECT ${CUSTOMER_KEY} FROM customers c WHERE c.id = ${stored}.customer_id) AS "customerKey"`;

/** `record` names where it is stored. Without personal content the body is stored as it is. */
export async function sealContent(
  cipher: PersonalDataCipher,
  body: unknown,
  personalContent: PersonalContent | null,
  record: string,
): Promise<SealedContent> {
  if (personalContent === null)
    return { content: JSON.stringify(body), customerId: null, personalData: null };
  const { customerId, key, fields } = personalContent;
  const { rest, personal } = takePersonal(body, fields);
  const isSealed = key !== null && Object.keys(personal).length > 0;
  const personalData = isSealed ? await cipher.seal(key, personal, record) : null;
  return { content: JSON.stringify(rest), customerId, personalData };
}

/** The body; it shows null in place of the personal data of an erased customer. */
export async function openContent(
  cipher: PersonalDataCipher,
  { content, customerKey, personalData }: StoredContent,
  record: string,
): Promise<unknown> {
  const personal = await openPersonal<PersonalPart>(cipher, customerKey, personalData, record);
  return putPersonal(content, personal);
}
