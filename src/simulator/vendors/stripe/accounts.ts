import { randomBytes } from 'node:crypto';
import { recipientStatusFor, type StoredRecipient } from '../../recipients';
import type { SimulatorCore } from '../adapter';
import { NO_PAYMENT, reply, type StripeEndpoint, type StripeRequest } from './endpoint';
import { invalidParameters, missing } from './errors';
import { connectedAccountIdOf, recipientIdOf } from './ids';
import { isCreatedIn, pageOf } from './lists';
import { accountLinkParams, accountParams, listParams } from './parameters';
import { referenceIn } from './record';
import { secondsOf, type StripeObject } from './refund-object';

/** `POST /v1/accounts`, a connected account: https://docs.stripe.com/api/accounts/create */
export function createAccount(core: SimulatorCore, request: StripeRequest): StripeEndpoint {
  const parsed = accountParams.safeParse(request.params);
  const reference = parsed.success ? (referenceIn(parsed.data.metadata) ?? parsed.data.email ?? '') : null;
  return {
    summary: { operation: 'recipient', amount: null, reference },
    check: () => {
      if (!parsed.success) return invalidParameters(parsed.error);
      const { individual, company } = parsed.data;
      const document = individual?.id_number ?? company?.tax_id ?? '';
      return reply(({ gateway, idempotencyKey, behavior }) => {
        const needsConsent = behavior.needs_consent === true;
        const status = needsConsent ? 'pending' : (behavior.recipient ?? recipientStatusFor(document));
        const fields = { gateway, reference: reference ?? '', idempotencyKey, status, needsConsent };
        return { status: 200, body: accountObject(core.recipients.create(fields, new Date())) };
      });
    },
  };
}

/** `GET /v1/accounts/{id}` */
export function showAccount(core: SimulatorCore, { gateway }: StripeRequest, id: string): StripeEndpoint {
  const recipientId = recipientIdOf(id);
  const find = () => (recipientId === null ? null : core.recipients.find(gateway, recipientId));
  return {
    summary: { ...NO_PAYMENT, operation: 'inquiry', reference: find()?.reference ?? null },
    check: () =>
      reply(() => {
        const recipient = find();
        return recipient === null
          ? missing('account', id, 'account')
          : { status: 200, body: accountObject(recipient) };
      }),
  };
}

/** `GET /v1/accounts`: https://docs.stripe.com/api/accounts/list */
export function listAccounts(core: SimulatorCore, { gateway, params }: StripeRequest): StripeEndpoint {
  const parsed = listParams.safeParse(params);
  return {
    summary: { ...NO_PAYMENT, operation: 'inquiry' },
    check: () => {
      if (!parsed.success) return invalidParameters(parsed.error);
      return reply(() => {
        const accounts = core.recipients.newestFirst(gateway).filter(({ at }) => {
          return isCreatedIn(secondsOf(at), parsed.data.created);
        });
        return pageOf(accounts.map(accountObject), parsed.data, '/v1/accounts');
      });
    },
  };
}

const LINK_SECONDS = 300;

/** `POST /v1/account_links`. Each is another one: https://docs.stripe.com/api/account_links/create */
export function createAccountLink(core: SimulatorCore, { gateway, params }: StripeRequest): StripeEndpoint {
  const parsed = accountLinkParams.safeParse(params);
  return {
    summary: NO_PAYMENT,
    check: () => {
      if (!parsed.success) return invalidParameters(parsed.error);
      const { account } = parsed.data;
      const recipientId = recipientIdOf(account);
      if (recipientId === null || core.recipients.find(gateway, recipientId) === null)
        return missing('account', account, 'account', 400);
      return reply(() => {
        const created = Math.floor(Date.now() / 1000);
        const url = `https://connect.stripe.com/setup/e/${account}/${randomBytes(6).toString('hex')}`;
        const body = { object: 'account_link', created, expires_at: created + LINK_SECONDS, url };
        return { status: 200, body };
      });
    },
  };
}

/** https://docs.stripe.com/api/accounts/object; states: https://docs.stripe.com/connect/handling-api-verification */
function accountObject({ id, status, reference, at, needsConsent = false }: StoredRecipient): StripeObject {
  const active = status === 'active';
  const waits = status === 'pending' && needsConsent;
  const capability = { active: 'active', pending: 'pending', refused: 'inactive' }[status];
  return {
    id: connectedAccountIdOf(id),
    object: 'account',
    business_type: null,
    capabilities: { card_payments: capability, transfers: capability },
    charges_enabled: active,
    country: 'BR',
    created: secondsOf(at),
    default_currency: 'brl',
    details_submitted: !waits,
    email: null,
    metadata: { reference },
    payouts_enabled: active,
    requirements: {
      currently_due: waits ? ['external_account', 'tos_acceptance.date', 'tos_acceptance.ip'] : [],
      disabled_reason: {
        active: null,
        pending: waits ? 'requirements.past_due' : 'requirements.pending_verification',
        refused: 'rejected.other',
      }[status],
      errors: [],
      eventually_due: [],
      past_due: [],
      pending_verification: [],
    },
    type: 'none',
  };
}

/** `GET /v1/account`: the account of the secret key. */
export function ownAccount(account: string): StripeObject {
  return {
    id: `acct_${account.slice(0, 16)}`,
    object: 'account',
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    country: 'BR',
    default_currency: 'brl',
    details_submitted: true,
    payouts_enabled: true,
    type: 'standard',
  };
}

/** `GET /v1/balance`: https://docs.stripe.com/api/balance */
export const BALANCE: StripeObject = {
  object: 'balance',
  available: [{ amount: 0, currency: 'brl', source_types: { card: 0 } }],
  livemode: false,
  pending: [{ amount: 0, currency: 'brl', source_types: { card: 0 } }],
};
