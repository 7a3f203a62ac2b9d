import { randomBytes } from 'node:crypto';
import { scriptedDecline } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import { decideOnCard, type DeclineReason } from '../../test-cards';
import type { SimulatorCore } from '../adapter';
import { CARD_NUMBERS_REFUSED } from './create-intent';
import { NO_PAYMENT, reply, type StripeEndpoint, type StripeRequest } from './endpoint';
import { errorOfStatus, errorResponse, invalidParameters, invalidRequest, missing } from './errors';
import { declineFields } from './intent-object';
import { retrieveParams, setupCancelParams, setupIntentParams } from './parameters';
import {
  type PaymentMethodRecord,
  type PaymentMethods,
  storedMethodObject,
  UNEXPECTED_STATE,
} from './payment-methods';
import { referenceIn } from './record';
import { setupIntentObject, type SetupIntentRecord } from './setup-intent-object';

/** The customer takes part and agrees to later charges. */
const INITIATION = { initiator: 'customer', reason: 'first_saved' } as const;
const CANCELABLE: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const MAX_STORED = 10_000;

/** SetupIntents of cards. They move no money, so the ledger has nothing of them: they stay in memory and end with the process. */
export class SetupIntents {
  private readonly intents = new Map<string, SetupIntentRecord>();

  constructor(
    private readonly core: SimulatorCore,
    private readonly methods: PaymentMethods,
  ) {}

  /** `POST /v1/setup_intents` with `confirm`: https://docs.stripe.com/api/setup_intents/create */
  create({ params: given }: StripeRequest): StripeEndpoint {
    const parsed = setupIntentParams.safeParse(given);
    const reference = parsed.success ? referenceIn(parsed.data.metadata) : null;
    return {
      summary: { operation: 'verify', amount: 0, reference, initiation: INITIATION },
      check: (account) => {
        if (!parsed.success) return invalidParameters(parsed.error);
        const params = parsed.data;
        const method = this.methods.chosenBy(params, 'SetupIntent');
        if ('status' in method) return method;
        if (!params.confirm) return notHere('confirm', 'only SetupIntents that are confirmed at once');
        if (method.params.type !== 'card') return notHere('payment_method', 'only SetupIntents of cards');
        const types = params.payment_method_types ?? params.allowed_payment_method_types;
        if (types !== undefined && !types.includes('card')) {
          const message = 'The PaymentMethod of type card is not allowed for this SetupIntent.';
          return invalidRequest(message, { param: 'payment_method' });
        }
        const { usage, description = null, metadata } = params;
        const intent = { account, usage, description, metadata };
        return reply(({ behavior }) => this.confirm(intent, method, behavior));
      },
    };
  }

  /** `GET /v1/setup_intents/{id}` */
  show({ params }: StripeRequest, id: string): StripeEndpoint {
    const parsed = retrieveParams.safeParse(params);
    return {
      summary: NO_PAYMENT,
      check: (account) => {
        if (!parsed.success) return invalidParameters(parsed.error);
        const found = this.find(account, id);
        return found === null ? missing('setupintent', id, 'intent') : answer(found);
      },
    };
  }

  /** `POST /v1/setup_intents/{id}/cancel`: https://docs.stripe.com/api/setup_intents/cancel */
  cancel({ params }: StripeRequest, id: string): StripeEndpoint {
    const parsed = setupCancelParams.safeParse(params);
    return {
      summary: NO_PAYMENT,
      check: (account) => {
        if (!parsed.success) return invalidParameters(parsed.error);
        const found = this.find(account, id);
        if (found === null) return missing('setupintent', id, 'intent');
        return reply(() => {
          if (!CANCELABLE.includes(found.status)) return notCancelable(found);
          const { cancellation_reason: cancellationReason } = parsed.data;
          return answer(this.keep({ ...found, status: 'canceled', cancellationReason }));
        });
      },
    };
  }

  /** The issuer's decision. A challenge waits for the customer: https://docs.stripe.com/payments/intents */
  private confirm(
    intent: Pick<SetupIntentRecord, 'account' | 'usage' | 'description' | 'metadata'>,
    method: PaymentMethodRecord,
    behavior: Behavior,
  ): SimulatorResponse {
    const { card } = method.params;
    if (behavior.lacks === 'raw_cards') return CARD_NUMBERS_REFUSED;
    const decision = decideOnCard(
      { number: card?.number ?? '', expire_month: card?.exp_month ?? 0, expire_year: card?.exp_year ?? 0 },
      INITIATION,
      new Date(),
    );
    if (decision.kind === 'outage') return errorOfStatus(503);
    const decline = scriptedDecline(behavior) ?? (decision.kind === 'decline' ? decision : null);
    const status = statusAfter(decline);
    const error = status === 'requires_payment_method' ? errorOf(decline, method) : null;
    const made = this.keep({
      ...intent,
      id: `seti_${randomBytes(12).toString('hex')}`,
      created: Math.floor(Date.now() / 1000),
      status,
      method: error === null ? method.id : null,
      error,
      cancellationReason: null,
    });
    if (error !== null) {
      return { status: 402, body: { error: { ...error, setup_intent: setupIntentObject(made) } } };
    }
    method.used = true;
    return answer(made);
  }

  private find(account: string, id: string): SetupIntentRecord | null {
    const found = this.intents.get(id);
    return found !== undefined && this.core.accounts.canRead(account, found.account) ? found : null;
  }

  private keep(intent: SetupIntentRecord): SetupIntentRecord {
    this.intents.set(intent.id, intent);
    const [oldest] = this.intents.keys();
    if (this.intents.size > MAX_STORED && oldest !== undefined) this.intents.delete(oldest);
    return intent;
  }
}

function statusAfter(decline: DeclineReason | null): SetupIntentRecord['status'] {
  if (decline === null) return 'succeeded';
  return decline.declineClass === 'auth_required' ? 'requires_action' : 'requires_payment_method';
}

function errorOf(decline: DeclineReason | null, method: PaymentMethodRecord): SetupIntentRecord['error'] {
  return decline && { ...declineFields(decline), payment_method: storedMethodObject(method) };
}

function answer(intent: SetupIntentRecord): SimulatorResponse {
  return { status: 200, body: setupIntentObject(intent) };
}

function notHere(param: string, what: string): SimulatorResponse {
  return invalidRequest(`This fake of Stripe creates ${what}.`, { param });
}

function notCancelable(intent: SetupIntentRecord): SimulatorResponse {
  return errorResponse(400, {
    type: 'invalid_request_error',
    code: UNEXPECTED_STATE.SetupIntent,
    message: `You cannot cancel this SetupIntent because it has a status of ${intent.status}. Only a SetupIntent with one of the following statuses may be canceled: ${CANCELABLE.join(', ')}.`,
    details: { setup_intent: setupIntentObject(intent) },
  });
}
