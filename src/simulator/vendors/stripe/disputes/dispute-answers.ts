import { z } from 'zod';
import type { StoredEvidence } from '../../../charge-store';
import {
  acceptDispute,
  findDispute,
  isPastDue,
  storedEvidence,
  submitEvidence,
  type FoundDispute,
} from '../../../operations/answer-dispute';
import type { SimulatorResponse } from '../../../replies';
import type { SimulatorCore } from '../../adapter';
import { reply, type StripeEndpoint, type StripeRequest, type StripeResult } from '../endpoint';
import { invalidParameters, invalidRequest, missing } from '../errors';
import { coreDisputeIdOf } from '../ids';
import { retrieveParams } from '../parameters';
import { disputeObject } from './dispute-object';
import type { Files } from './files';

const FILE_NAMES = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const;
const TEXT_NAMES = [
  'access_activity_log',
  'cancellation_rebuttal',
  'product_description',
  'refund_refusal_explanation',
  'service_date',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const;
const MAX_TEXT = 20_000;

const evidence = z.strictObject({
  ...Object.fromEntries(FILE_NAMES.map((name) => [name, z.string().optional()])),
  ...Object.fromEntries(TEXT_NAMES.map((name) => [name, z.string().max(MAX_TEXT).optional()])),
});
/** The fake keeps no drafts: it takes evidence that is submitted. */
const updateParams = z.strictObject({ evidence, submit: z.literal('true') });
const closeParams = z.strictObject({});

/** https://docs.stripe.com/api/disputes */
export class DisputeAnswers {
  constructor(
    private readonly core: SimulatorCore,
    private readonly files: Files,
  ) {}

  /** `GET /v1/disputes/{id}` */
  show(request: StripeRequest, id: string): StripeEndpoint {
    return this.on(request, id, 'inquiry', retrieveParams, (_account, found) => ({ response: shown(found) }));
  }

  /** `POST /v1/disputes/{id}` with `submit`: https://docs.stripe.com/api/disputes/update */
  update(request: StripeRequest, id: string): StripeEndpoint {
    return this.on(request, id, 'dispute', updateParams, (account, found, params) => {
      const pieces: StoredEvidence[] = [];
      for (const [name, value] of Object.entries(params.evidence)) {
        const content = this.contentOf(account, name, value ?? '');
        if (content === null) return { response: missing('file', value ?? '', `evidence[${name}]`, 400) };
        pieces.push(storedEvidence(name, content));
      }
      if (isPastDue(found.dispute, new Date()))
        return { response: invalidRequest('This dispute is past due.') };
      if (found.dispute.status !== 'opened') return { response: closed() };
      return answered(submitEvidence(this.core.store, found, pieces));
    });
  }

  /** `POST /v1/disputes/{id}/close`: https://docs.stripe.com/api/disputes/close */
  close(request: StripeRequest, id: string): StripeEndpoint {
    return this.on(request, id, 'dispute', closeParams, (_account, found) =>
      found.dispute.status === 'opened'
        ? answered(acceptDispute(this.core.store, found))
        : { response: closed() },
    );
  }

  private contentOf(account: string, name: string, value: string): Buffer | null {
    if (!FILE_NAMES.some((known) => known === name)) return Buffer.from(value);
    return this.files.find(account, value)?.bytes ?? null;
  }

  private on<Params>(
    { gateway, params: given }: StripeRequest,
    id: string,
    operation: 'inquiry' | 'dispute',
    schema: z.ZodType<Params>,
    act: (account: string, found: FoundDispute, params: Params) => StripeResult,
  ): StripeEndpoint {
    const parsed = schema.safeParse(given);
    const find = (): FoundDispute | null => {
      const found = findDispute(this.core.store, coreDisputeIdOf(id) ?? '');
      return found?.charge.gateway === gateway ? found : null;
    };
    return {
      summary: { operation, amount: null, reference: find()?.charge.reference ?? null },
      check: (account) => {
        if (!parsed.success) return invalidParameters(parsed.error);
        const found = find();
        if (found === null || !this.core.accounts.canRead(account, found.charge.account))
          return missing('dispute', id, 'dispute');
        const work = reply(() => shown(found));
        return { ...work, run: () => act(account, find() ?? found, parsed.data) };
      },
    };
  }
}

function shown({ charge, dispute }: FoundDispute): SimulatorResponse {
  return { status: 200, body: disputeObject(charge, dispute) };
}

function answered(found: FoundDispute): StripeResult {
  return { response: shown(found), answered: found };
}

function closed(): SimulatorResponse {
  return invalidRequest('This dispute is already closed.');
}
