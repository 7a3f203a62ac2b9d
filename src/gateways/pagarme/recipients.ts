import { z } from 'zod';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import type { Recipient, RecipientStatus, SubaccountInformation } from '../recipient';
import { change, get } from './calls';
import { isUnknownObject } from './errors';
import { bankAccountOf } from './request-bodies';
import { type PagarmeRecipient, recipientReply } from './wire';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const phone = z.object({ country: z.string().optional(), ddd: z.string().optional(), number: z.string() });
const address = z.object({
  street: z.string(),
  complementary: z.string(),
  number: z.string().optional(),
  street_number: z.string().optional(),
  neighborhood: z.string(),
  city: z.string(),
  state: z.string(),
  zip_code: z.string(),
  reference_point: z.string().optional(),
});
const income = z.int().nullish();
const person = z.object({
  name: z.string(),
  email: z.string(),
  document: z.string(),
  birthdate: text,
  monthly_income: income,
  professional_occupation: text,
  phone_numbers: z.array(phone).nullish(),
});

/** `SubaccountInformation` of the API, whose structure the contract has checked. */
const information = person.extend({
  type: z.enum(['individual', 'corporation']),
  address,
  trading_name: text,
  annual_revenue: income,
  company_type: text,
  managing_partners: z
    .array(person.extend({ address, self_declared_legal_representative: z.boolean() }))
    .nullish(),
  default_bank_account: z.object({
    holder_name: z.string(),
    holder_type: z.enum(['individual', 'company']),
    holder_document: z.string(),
    bank_code: z.string(),
    branch_number: z.string(),
    account_number: z.string(),
    account_check_digit: z.string(),
    type: z.enum(['checking', 'savings']),
  }),
});
type Information = z.output<typeof information>;

/** `POST /recipients`: https://docs.pagar.me/reference/criar-recebedor-1. Our reference is its code. */
export async function createRecipient(
  ctx: GatewayContext,
  reference: string,
  given: SubaccountInformation,
): Promise<Recipient> {
  const parsed = information.safeParse(given);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
    throw new GatewayError('invalid_request', `Pagar.me needs more about a recipient: ${fields}`);
  }
  const body = recipientBody(reference, parsed.data);
  return recipientOf(
    await change(ctx, { method: 'POST', path: 'recipients', body }, recipientReply),
    reference,
  );
}

/** `GET /recipients/{code}`: SDK 7.0.2, `getRecipientByCode`. */
export async function findRecipient(ctx: GatewayContext, reference: string): Promise<Recipient | null> {
  try {
    const path = `recipients/${encodeURIComponent(reference)}`;
    return recipientOf(await get(ctx, { path }, recipientReply), reference);
  } catch (error) {
    if (isUnknownObject(error)) return null;
    throw error;
  }
}

function recipientOf({ id, code, status }: PagarmeRecipient, reference: string): Recipient {
  if (code !== reference) throw new GatewayError('ambiguous', 'the gateway answered for another request');
  const own = STATUSES[status];
  return { recipientId: id, status: own, message: own === 'refused' ? status : null };
}

/** One that was suspended, blocked or ended receives nothing any more. */
const STATUSES: Readonly<Record<PagarmeRecipient['status'], RecipientStatus>> = {
  registration: 'pending',
  affiliation: 'pending',
  registered: 'pending',
  validation_requested: 'pending',
  waiting_for_analysis: 'pending',
  active: 'active',
  refused: 'refused',
  disapproved: 'refused',
  suspended: 'refused',
  blocked: 'refused',
  inactive: 'refused',
};

function recipientBody(reference: string, given: Information): object {
  return {
    code: reference,
    payment_mode: 'bank_transfer',
    register_information: given.type === 'individual' ? individualOf(given) : corporationOf(given),
    default_bank_account: bankAccountOf(given.default_bank_account),
  };
}

/** https://docs.pagar.me/page/novas-regras-para-criação-de-sellers-de-marketplace-c-v5 */
function individualOf(given: Information): object {
  return { ...personOf(given), type: 'individual', address: addressOf(given.address) };
}

/** As the page above describes them, `company_name` is the trade name and `trading_name` the registered one. */
function corporationOf(given: Information): object {
  const { name, trading_name, email, document, annual_revenue, company_type, managing_partners } = given;
  return {
    type: 'corporation',
    company_name: trading_name ?? name,
    trading_name: name,
    email,
    document,
    annual_revenue,
    ...(company_type !== null && { corporation_type: company_type }),
    main_address: addressOf(given.address),
    phone_numbers: phonesOf(given.phone_numbers ?? managing_partners?.[0]?.phone_numbers),
    managing_partners: (managing_partners ?? []).map((partner) => ({
      ...personOf(partner),
      self_declared_legal_representative: partner.self_declared_legal_representative,
      address: addressOf(partner.address),
    })),
  };
}

function personOf(given: z.output<typeof person>): object {
  const { name, email, document, birthdate, monthly_income, professional_occupation, phone_numbers } = given;
  return {
    name,
    email,
    document,
    birthdate: birthdate?.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1'),
    monthly_income,
    professional_occupation,
    phone_numbers: phonesOf(phone_numbers),
  };
}

/** `country` of the API is the area code. */
function phonesOf(phones: Information['phone_numbers']): object[] {
  return (phones ?? []).map(({ country, ddd, number }) => ({ ddd: ddd ?? country, number, type: 'mobile' }));
}

/** Every field is required. */
function addressOf(given: z.output<typeof address>): object {
  const { number, street_number, reference_point, complementary, zip_code, ...others } = given;
  return {
    ...others,
    street_number: street_number ?? number,
    zip_code: zip_code.replaceAll(/\D/g, ''),
    complementary: complementary || NONE,
    reference_point: reference_point || complementary || NONE,
  };
}

const NONE = 'Não informado';
