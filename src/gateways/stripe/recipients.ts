import type { SubAccountInformation } from '../../domain/routing/subaccount-information';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import type { KnownRecipient, Recipient, RecipientStatus, SubaccountInformation } from '../recipient';
import { get, post } from './calls';
import type { RequestParams } from './form';
import { CLOCK_TOLERANCE_MS, MAX_PAGES, PAGE } from './inquiries';
import { REFERENCE_KEY } from './references';
import { accountLinkReply, accountList, accountReply, type StripeAccount } from './wire';

/** Where the owner is sent after Stripe's form, and with a link that is no longer valid: Stripe's own page for connected accounts. */
const OWNERS_PAGE = 'https://connect.stripe.com/express_login';

/**
 * A connected account, whose owner tells Stripe the rest on a page of Stripe: https://docs.stripe.com/api/accounts/create,
 * https://docs.stripe.com/connect/hosted-onboarding
 */
export async function createRecipient(
  ctx: GatewayContext,
  reference: string,
  information: SubaccountInformation,
): Promise<Recipient> {
  const { idempotencyKey, sendBefore } = ctx;
  const params = accountParams(reference, information as SubAccountInformation);
  const account = await post(ctx, { path: 'accounts', params, idempotencyKey, sendBefore }, accountReply);
  if (account.metadata[REFERENCE_KEY] !== reference) {
    throw new GatewayError('ambiguous', 'the gateway answered for another recipient');
  }
  return recipientOf(ctx, account);
}

/** Stripe has no search for accounts. One whose id is not known is found by the list around the time of its creation. */
export async function findRecipient(
  ctx: GatewayContext,
  reference: string,
  { recipientId, sentAt }: KnownRecipient,
): Promise<Recipient | null> {
  const id = recipientId ?? (await listedId(ctx, reference, sentAt));
  if (id === null) return null;
  const account = await get(ctx, `accounts/${encodeURIComponent(id)}`, {}, accountReply);
  if (account.metadata[REFERENCE_KEY] !== reference) {
    throw new GatewayError('ambiguous', 'the gateway answered for another recipient');
  }
  return recipientOf(ctx, account);
}

/** @throws GatewayError `ambiguous` if the list proves nothing */
async function listedId(ctx: GatewayContext, reference: string, sentAt: Date | null): Promise<string | null> {
  if (sentAt === null) throw new GatewayError('ambiguous', 'it is not known when the recipient was created');
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  const created = {
    gte: seconds(sentAt.getTime() - CLOCK_TOLERANCE_MS),
    lte: seconds(sentAt.getTime() + CLOCK_TOLERANCE_MS),
  };
  const ids: string[] = [];
  let last: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { created, limit: PAGE, starting_after: last };
    const { data, has_more } = await get(ctx, 'accounts', query, accountList);
    ids.push(...data.filter(({ metadata }) => metadata[REFERENCE_KEY] === reference).map(({ id }) => id));
    if (!has_more) return oneOf(ids);
    last = data.at(-1)?.id;
  }
  throw new GatewayError('ambiguous', 'the gateway has too many accounts of that time');
}

function oneOf([id, ...others]: readonly string[]): string | null {
  if (others.length > 0) throw new GatewayError('ambiguous', 'several accounts have this reference');
  return id ?? null;
}

async function recipientOf(ctx: GatewayContext, account: StripeAccount): Promise<Recipient> {
  const { id: recipientId } = account;
  const status = statusOf(account);
  const consentUrl = status === 'needs_consent' ? await newLink(ctx, recipientId) : null;
  if (consentUrl !== null) return { recipientId, status, message: MESSAGES[status], consentUrl };
  // The account exists: its link follows with the next inquiry.
  const shown = status === 'needs_consent' ? 'pending' : status;
  return { recipientId, status: shown, message: MESSAGES[shown] };
}

const MESSAGES: Readonly<Record<RecipientStatus, string | null>> = {
  pending: 'Stripe checks the account',
  needs_consent: 'Stripe waits for data of the owner',
  active: null,
  refused: 'Stripe has refused the account',
};

/** https://docs.stripe.com/connect/handling-api-verification. Its payments need the capability `transfers`. */
function statusOf({ capabilities, requirements, details_submitted }: StripeAccount): RecipientStatus {
  if (requirements?.disabled_reason?.startsWith('rejected.') === true) return 'refused';
  if (capabilities?.transfers === 'active') return 'active';
  const isIncomplete = !details_submitted || (requirements?.currently_due ?? []).length > 0;
  return isIncomplete ? 'needs_consent' : 'pending';
}

/** A link is valid for minutes and for one visit, so that each inquiry makes another: https://docs.stripe.com/api/account_links */
async function newLink(ctx: GatewayContext, account: string): Promise<string | null> {
  const params = {
    account,
    type: 'account_onboarding',
    refresh_url: OWNERS_PAGE,
    return_url: OWNERS_PAGE,
  };
  const request = { path: 'account_links', params, idempotencyKey: null, sendBefore: null };
  try {
    return (await post(ctx, request, accountLinkReply)).url;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return null;
  }
}

/** Stripe asks the owner for the rest, the bank account included. The platform bears fees and losses, as of every destination charge. */
function accountParams(reference: string, information: SubAccountInformation): RequestParams {
  const { name, trading_name, email, document, type } = information;
  const isCompany = type === 'corporation';
  return {
    country: 'BR',
    email,
    business_type: isCompany ? 'company' : 'individual',
    business_profile: { name: trading_name ?? name },
    company: isCompany ? { name, tax_id: document } : null,
    individual: isCompany ? null : { id_number: document },
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
    },
    // `transfers` alone is only for platforms with an approval: https://github.com/Layr-Labs/d-inference/issues/782
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { [REFERENCE_KEY]: reference },
  };
}
