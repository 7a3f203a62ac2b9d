import { internationalPhone } from '../../domain/customers/phone';
import type { SubAccountInformation } from '../../domain/routing/subaccount-information';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import type { KnownRecipient, Recipient, RecipientStatus, SubaccountInformation } from '../recipient';
import { platformGet, platformPost, requirePlatform } from './platform-calls';
import { type AdyenBody, nameOf } from './request-bodies';
import {
  type AccountHolder,
  accountHolderList,
  accountHolderReply,
  type AdyenCapability,
  type BalanceAccount,
  balanceAccountList,
  balanceAccountReply,
  legalEntityReply,
  onboardingLinkReply,
} from './wire';

/** Configuration API: at most 100 in a page. */
const PAGE = 100;
const MAX_PAGES = 50;

/** To receive parts of payments, to move money within the platform, and to be paid out. */
const CAPABILITIES = [
  'receiveFromPlatformPayments',
  'receiveFromBalanceAccount',
  'sendToBalanceAccount',
  'sendToTransferInstrument',
] as const;
/** Without the second, the recipient's money could not leave Adyen. */
const NEEDED = ['receiveFromPlatformPayments', 'sendToTransferInstrument'] as const;

/**
 * A legal entity, its account holder and its balance account, which splits name: https://docs.adyen.com/marketplaces/onboard-users/hosted.
 * The owner tells Adyen the rest, the bank account included, on a page of Adyen.
 *
 * The recipient is the balance account, the last of them. Each request has a key of its own, so that a repetition goes on where the first
 * one ended. Where Adyen does not keep keys, it leaves a legal entity and an account holder without an account, which receive nothing.
 */
export async function createRecipient(
  ctx: GatewayContext,
  reference: string,
  given: SubaccountInformation,
): Promise<Recipient> {
  const balancePlatform = requirePlatform(ctx);
  const { idempotencyKey, sendBefore } = ctx;
  const request = (path: string, letter: string, body: AdyenBody) => ({
    ...{ path, body: { ...body, reference } },
    ...{ idempotencyKey: `${idempotencyKey}-${letter}`, sendBefore },
  });
  const entityRequest = request('legalEntities', 'l', legalEntityBody(given as SubAccountInformation));
  const entity = await platformPost(ctx, 'kyc', entityRequest, legalEntityReply);
  const capabilities = Object.fromEntries(CAPABILITIES.map((name) => [name, { requested: true }]));
  const holderBody = { balancePlatform, legalEntityId: entity.id, capabilities };
  const holderRequest = request('accountHolders', 'h', holderBody);
  const holder = await platformPost(ctx, 'balance', holderRequest, accountHolderReply);
  const accountBody = {
    accountHolderId: holder.id,
    defaultCurrencyCode: 'BRL',
    timeZone: 'America/Sao_Paulo',
  };
  const accountRequest = request('balanceAccounts', 'b', accountBody);
  const account = await platformPost(ctx, 'balance', accountRequest, balanceAccountReply);
  const { holder: created } = requireOwn(reference, holder, account);
  // A repeated key shows the account holder as it was.
  const current = await showHolder(ctx, created.id).catch((error: unknown) => {
    // The recipient exists, so that no error may say that it was not created.
    if (!(error instanceof GatewayError)) throw error;
    return created;
  });
  return recipientOf(ctx, { holder: current, account });
}

function showHolder(ctx: GatewayContext, id: string): Promise<AccountHolder> {
  return platformGet(ctx, 'balance', `accountHolders/${encodeURIComponent(id)}`, accountHolderReply);
}

/** Adyen has no search by reference: a balance account whose id is not known is found by the list of the platform's account holders. */
export async function findRecipient(
  ctx: GatewayContext,
  reference: string,
  { recipientId }: KnownRecipient,
): Promise<Recipient | null> {
  const platform = requirePlatform(ctx);
  const account =
    recipientId === null
      ? await listedAccount(ctx, platform, reference)
      : await platformGet(
          ctx,
          'balance',
          `balanceAccounts/${encodeURIComponent(recipientId)}`,
          balanceAccountReply,
        );
  if (account === null) return null;
  const holder = await showHolder(ctx, account.accountHolderId);
  return recipientOf(ctx, requireOwn(reference, holder, account));
}

interface Accounts {
  readonly holder: AccountHolder;
  readonly account: BalanceAccount;
}

function requireOwn(reference: string, holder: AccountHolder, account: BalanceAccount): Accounts {
  const isOwn = account.reference === reference && account.accountHolderId === holder.id;
  if (!isOwn) throw new GatewayError('ambiguous', 'the gateway answered for another recipient');
  return { holder, account };
}

/** Null also for a creation that ended before the balance account. @throws GatewayError `ambiguous` if the lists prove nothing */
async function listedAccount(
  ctx: GatewayContext,
  platform: string,
  reference: string,
): Promise<BalanceAccount | null> {
  const holders = await ownHolders(ctx, platform, reference);
  const found: BalanceAccount[] = [];
  for (const id of holders) {
    const path = `accountHolders/${encodeURIComponent(id)}/balanceAccounts?limit=${PAGE}&offset=0`;
    const { balanceAccounts, hasNext } = await platformGet(ctx, 'balance', path, balanceAccountList);
    if (hasNext) throw new GatewayError('ambiguous', 'the recipient has too many accounts');
    found.push(...balanceAccounts.filter((account) => account.reference === reference));
  }
  const [account = null, ...others] = found;
  if (others.length > 0) throw new GatewayError('ambiguous', 'several accounts have this reference');
  return account;
}

/** The ids of the account holders with our reference: several if a creation was repeated after its keys had ended. */
async function ownHolders(ctx: GatewayContext, platform: string, reference: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const path = `balancePlatforms/${encodeURIComponent(platform)}/accountHolders?limit=${PAGE}&offset=${page * PAGE}`;
    const { accountHolders, hasNext } = await platformGet(ctx, 'balance', path, accountHolderList);
    ids.push(...accountHolders.filter((holder) => holder.reference === reference).map(({ id }) => id));
    if (!hasNext) return ids;
  }
  throw new GatewayError('ambiguous', 'the platform has too many account holders');
}

async function recipientOf(ctx: GatewayContext, { holder, account }: Accounts): Promise<Recipient> {
  const recipientId = account.id;
  const decided = decidedStatus(holder, account);
  if (decided !== null) return { recipientId, status: decided, message: MESSAGES[decided] };
  const consentUrl = await onboardingLink(ctx, holder);
  return consentUrl === null
    ? { recipientId, status: 'pending', message: MESSAGES.pending }
    : { recipientId, status: 'needs_consent', message: MESSAGES.needs_consent, consentUrl };
}

const MESSAGES: Readonly<Record<RecipientStatus, string | null>> = {
  pending: 'Adyen checks the account',
  needs_consent: 'Adyen waits for data of the owner',
  active: null,
  refused: 'Adyen has refused the account',
};

/** Null while Adyen verifies the owner, or waits for data: https://docs.adyen.com/marketplaces/verification-overview */
function decidedStatus(holder: AccountHolder, account: BalanceAccount) {
  const needed = neededOf(holder);
  const isClosed = holder.status === 'closed' || account.status === 'closed';
  if (isClosed || needed.some(({ verificationStatus }) => verificationStatus === 'rejected'))
    return 'refused';
  const isOpen = holder.status === 'active' && account.status === 'active';
  return isOpen && needed.every(({ allowed, enabled }) => allowed === true && enabled !== false)
    ? 'active'
    : null;
}

function neededOf({ capabilities }: AccountHolder): AdyenCapability[] {
  return NEEDED.map((name) => capabilities?.[name] ?? {});
}

/**
 * A new link to Adyen's page, if the owner has something left to tell: it is valid for four minutes and one visit. Null if nothing is
 * left, or if Adyen does not give one now: the account exists, and the next inquiry asks again.
 */
async function onboardingLink(ctx: GatewayContext, holder: AccountHolder): Promise<string | null> {
  const path = `legalEntities/${encodeURIComponent(holder.legalEntityId)}`;
  try {
    const entity = await platformGet(ctx, 'kyc', path, legalEntityReply);
    const isComplete =
      (entity.transferInstruments ?? []).length > 0 &&
      (entity.problems ?? []).length === 0 &&
      neededOf(holder).every(
        (each) => each.verificationStatus !== 'invalid' && (each.problems ?? []).length === 0,
      );
    if (isComplete) return null;
    const request = {
      ...{ path: `${path}/onboardingLinks`, body: { locale: 'pt-BR' } },
      ...{ idempotencyKey: null, sendBefore: null },
    };
    return (await platformPost(ctx, 'kyc', request, onboardingLinkReply)).url;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return null;
  }
}

/** `LegalEntityInfoRequiredType`: what is known. The owner can change it on Adyen's page. */
function legalEntityBody(information: SubAccountInformation): AdyenBody {
  const { type, name, trading_name, email, document, birthdate } = information;
  const phone = phoneOf(information);
  const common = { email, ...(phone !== null && { phone: { number: phone, type: 'mobile' } }) };
  if (type === 'corporation') {
    const organization = {
      ...{ ...common, legalName: name, registeredAddress: addressOf(information) },
      registrationNumber: document,
      ...(trading_name && { doingBusinessAs: trading_name }),
    };
    return { type: 'organization', organization };
  }
  const individual = {
    ...{ ...common, name: nameOf(name), residentialAddress: addressOf(information) },
    identificationData: { type: 'nationalIdNumber', number: document, issuerCountry: 'BR' },
    ...(birthdate && { birthData: { dateOfBirth: birthdate } }),
  };
  return { type: 'individual', individual };
}

function addressOf({ address }: SubAccountInformation): AdyenBody {
  const { street, number, complementary, neighborhood, city, state, zip_code } = address;
  return {
    country: 'BR',
    street: `${street}, ${number}`,
    street2: complementary ? `${complementary}, ${neighborhood}` : neighborhood,
    city,
    stateOrProvince: state,
    postalCode: zip_code.replaceAll(/\D/g, ''),
  };
}

/** With area code. `country` of a phone is its area code. */
function phoneOf({ phone_numbers: own }: SubAccountInformation): string | null {
  for (const { country, number } of own ?? []) {
    const phone = internationalPhone(`${country}${number}`);
    if (phone !== null) return phone;
  }
  return null;
}
