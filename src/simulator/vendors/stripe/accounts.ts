import { recipientStatusFor, type StoredRecipient } from '../../recipients';
import type { SimulatorCore } from '../adapter';
import { NO_PAYMENT, reply, type StripeEndpoint, type StripeRequest } from './endpoint';
import { invalidParameters, missing } from './errors';
import { connectedAccountIdOf, recipientIdOf } from './ids';
import { accountParams } from './parameters';
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
        const status = behavior.recipient ?? recipientStatusFor(document);
        const fields = { gateway, reference: reference ?? '', idempotencyKey, status };
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

/** https://docs.stripe.com/api/accounts/object; states: https://docs.stripe.com/connect/handling-api-verification */
function accountObject({ id, status, reference, at }: StoredRecipient): StripeObject {
  const active = status === 'active';
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
    details_submitted: true,
    email: null,
    metadata: { reference },
    payouts_enabled: active,
    requirements: {
      currently_due: [],
      disabled_reason: {
        active: null,
        pending: 'requirements.pending_verification',
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
