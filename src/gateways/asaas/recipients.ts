import { z } from 'zod';
import { brazilianPhone, internationalPhone } from '../../domain/customers/phone';
import { assertNever } from '../../domain/shared/assert-never';
import { decimalAmount } from '../decimal-amount';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import type { KnownRecipient, Recipient, RecipientStatus, SubaccountInformation } from '../recipient';
import { vendorWords } from '../vendor-words';
import { readReply } from '../read-reply';
import { get, send } from './calls';
import { asaasErrorOf, ownErrors } from './errors';
import { accountList, accountStatusReply, createdAccountReply } from './wire';

const cents = z.int().positive().nullish();
const phones = z
  .array(z.object({ country: z.string().optional(), ddd: z.string().optional(), number: z.string() }))
  .nullish();

/** What Asaas needs of the information, whose structure the contract has checked. */
const information = z.object({
  name: z.string(),
  email: z.string(),
  document: z.string(),
  birthdate: z.string().nullish(),
  monthly_income: cents,
  annual_revenue: cents,
  phone_numbers: phones,
  managing_partners: z.array(z.object({ phone_numbers: phones })).nullish(),
  address: z.object({
    street: z.string(),
    number: z.string(),
    complementary: z.string().nullish(),
    neighborhood: z.string(),
    zip_code: z.string(),
  }),
});
type Information = z.output<typeof information>;

const MONTHS = 12;

/**
 * `POST /v3/accounts`: https://docs.asaas.com/reference/create-subaccount. The recipient is known by its wallet, which splits name.
 * Its key is answered only here, and nothing else can ask how Asaas' check of the account ends.
 */
export async function createRecipient(ctx: GatewayContext, given: SubaccountInformation): Promise<Recipient> {
  const parsed = information.safeParse(given);
  if (!parsed.success) throw needed(parsed.error.issues.map(({ path }) => path.join('.')).join(', '));
  const body = accountBody(parsed.data);
  const response = await send(ctx, { method: 'POST', path: 'accounts', body, sendBefore: ctx.sendBefore });
  if (response.status !== 200) throw refusalOf(response);
  const { walletId, apiKey: secret } = readReply(response, createdAccountReply);
  const status = await statusOf(ctx, secret).catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    return 'pending' as const;
  });
  return { ...recipientOf(walletId, status), secret };
}

/**
 * Asaas keeps no reference of ours with an account, and no two accounts have one e-mail address. Without its key an account is
 * found, but never active.
 */
export async function findRecipient(
  ctx: GatewayContext,
  { information: { document, email }, secret }: KnownRecipient,
): Promise<Recipient | null> {
  const query = { cpfCnpj: document, email, limit: '10' };
  const { data } = await get(ctx, 'accounts', accountList, { query });
  const own = data.filter((account) => account.email === email && account.cpfCnpj === document);
  const [account, ...others] = own;
  if (account === undefined && data.length === 0) return null;
  if (account === undefined || others.length > 0) {
    throw new GatewayError('ambiguous', 'the gateway shows several accounts of the owner');
  }
  if (secret === null) {
    const message = 'its key was lost with the answer to its creation: ask Asaas for another';
    return { recipientId: account.walletId, status: 'pending', message };
  }
  return recipientOf(account.walletId, await statusOf(ctx, secret));
}

/** `GET /v3/myAccount/status` with the account's own key. */
async function statusOf(ctx: GatewayContext, secretKey: string): Promise<RecipientStatus> {
  const { general } = await get({ ...ctx, secretKey }, 'myAccount/status', accountStatusReply);
  switch (general) {
    case 'APPROVED':
      return 'active';
    case 'REJECTED':
      return 'refused';
    case 'PENDING':
    case 'AWAITING_APPROVAL':
      return 'pending';
    default:
      return assertNever(general);
  }
}

function recipientOf(recipientId: string, status: RecipientStatus): Recipient {
  const message = {
    pending: 'Asaas waits for the owner’s documents, or checks them',
    refused: 'Asaas has refused the account',
    active: null,
    needs_consent: null,
  }[status];
  return { recipientId, status, message };
}

/** `AccountSaveRequestDto` */
function accountBody(given: Information): object {
  const { name, email, document, birthdate, address } = given;
  return {
    name,
    email,
    cpfCnpj: document,
    ...(birthdate && { birthDate: birthdate }),
    mobilePhone: phoneOf(given),
    incomeValue: decimalAmount(incomeOf(given)),
    address: address.street,
    addressNumber: address.number,
    ...(address.complementary && { complement: address.complementary }),
    province: address.neighborhood,
    postalCode: address.zip_code.replaceAll(/\D/g, ''),
  };
}

/** Area code and number, of the account or of who manages it. */
function phoneOf({ phone_numbers: own, managing_partners: partners }: Information): string {
  const numbers = [...(own ?? []), ...(partners ?? []).flatMap((partner) => partner.phone_numbers ?? [])];
  for (const { country = '', ddd = '', number } of numbers) {
    const phone = brazilianPhone(internationalPhone(`${country}${ddd}${number}`) ?? '');
    if (phone !== null) return `${phone.areaCode}${phone.number}`;
  }
  throw needed('a phone number with area code in phone_numbers');
}

/** In a month. */
function incomeOf({ monthly_income: income, annual_revenue: revenue }: Information): number {
  if (income) return income;
  if (revenue) return Math.max(1, Math.round(revenue / MONTHS));
  throw needed('monthly_income or annual_revenue');
}

function needed(what: string): GatewayError {
  return new GatewayError('invalid_request', `Asaas needs ${what}`);
}

/** With Asaas' words, for example that another account has the e-mail address. */
function refusalOf(response: Parameters<typeof ownErrors>[0]): GatewayError {
  const error = asaasErrorOf(response);
  const words = vendorWords(ownErrors(response)?.[0]?.description);
  if (error.family !== 'invalid_request' || words === '') return error;
  return new GatewayError(error.family, `Asaas refused the account (${words})`, error.code);
}
