import { z } from 'zod';
import { recipientStatusFor, type StoredRecipient } from '../../recipients';
import type { SimulatorCore } from '../adapter';
import {
  instant,
  NO_PAYMENT,
  type PagarmeEndpoint,
  type PagarmeObject,
  type PagarmeRequest,
  reply,
} from './endpoint';
import { invalidBody, notFound } from './errors';
import { gatewayIdOf, pagarmeRecipientIdOf, recipientIdOf } from './ids';
import { bankAccount } from './parameters';

const text = z.string().min(1);

/** SDK 7.0.2: `createRecipientRequest`. Its data is in `register_information`, or as before that in the recipient itself. */
const recipientBody = z
  .looseObject({
    code: text.nullable().default(null),
    name: z.string().nullable().default(null),
    email: z.string().nullable().default(null),
    document: z.string().nullable().default(null),
    type: z.enum(['individual', 'company', 'corporation']).nullable().default(null),
    payment_mode: z.enum(['bank_transfer', 'pix']).nullable().default(null),
    register_information: z
      .looseObject({
        type: z.enum(['individual', 'corporation']),
        document: text,
        email: text,
        phone_numbers: z.array(z.looseObject({ ddd: text, number: text, type: text })).min(1),
      })
      .nullable()
      .default(null),
    default_bank_account: bankAccount,
  })
  .refine(
    ({ register_information: information, document }) => (information?.document ?? document ?? null) !== null,
    { path: ['register_information'], message: 'register_information is required' },
  );

/** `POST /recipients`: https://docs.pagar.me/reference/criar-recebedor-1 */
export function createRecipient(core: SimulatorCore, request: PagarmeRequest): PagarmeEndpoint {
  const parsed = recipientBody.safeParse(request.body ?? {});
  const body = parsed.success ? parsed.data : null;
  const code = body?.code ?? null;
  return {
    summary: { operation: 'recipient', amount: null, reference: code },
    check: () => {
      if (!parsed.success) return invalidBody(parsed.error, 'recipient', request.body);
      const document = parsed.data.register_information?.document ?? parsed.data.document ?? '';
      return reply(({ gateway, idempotencyKey, behavior }) => {
        const status = behavior.recipient ?? recipientStatusFor(document);
        const fields = { gateway, reference: code ?? '', idempotencyKey, status };
        const recipient = core.recipients.create(fields, new Date());
        return { status: 200, body: newRecipientObject(recipient) };
      });
    },
  };
}

/** `GET /recipients/{id}`, which also takes the merchant's code (SDK 7.0.2: `getRecipientByCode`). */
export function showRecipient(
  core: SimulatorCore,
  { gateway }: PagarmeRequest,
  idOrCode: string,
): PagarmeEndpoint {
  const find = () => findRecipient(core, gateway, idOrCode);
  return {
    summary: { ...NO_PAYMENT, operation: 'inquiry', reference: find()?.reference ?? idOrCode },
    check: () =>
      reply(() => {
        const recipient = find();
        return recipient === null ? notFound('Recipient') : { status: 200, body: recipientObject(recipient) };
      }),
  };
}

/** `POST /recipients/{id}/kyc_link`: https://docs.pagar.me/page/api-v5-adição-do-fluxo-de-prova-de-vida */
export function createKycLink(core: SimulatorCore, request: PagarmeRequest, id: string): PagarmeEndpoint {
  return {
    summary: NO_PAYMENT,
    check: () =>
      reply(() => {
        const recipient = findRecipient(core, request.gateway, id);
        if (recipient === null) return notFound('Recipient');
        const url = `${core.origin}/${request.gateway}/kyc/${pagarmeRecipientIdOf(recipient.id)}`;
        const expires = new Date(Date.now() + 20 * 60 * 1000);
        const base64 = Buffer.from(url).toString('base64');
        return { status: 200, body: { url, base64, expiration_date: instant(expires) } };
      }),
  };
}

function findRecipient(
  core: SimulatorCore,
  gateway: StoredRecipient['gateway'],
  idOrCode: string,
): StoredRecipient | null {
  const id = recipientIdOf(idOrCode);
  const named = id === null ? null : core.recipients.find(gateway, id);
  return named ?? core.recipients.withReference(gateway, idOrCode).at(-1) ?? null;
}

/**
 * The page on proof of life: a new recipient is in `registration` without `kyc_details`, then in `affiliation` while its proof
 * is missing, then `active` or `refused`. In the test environment a recipient is `active` at once.
 */
export function newRecipientObject(recipient: StoredRecipient): PagarmeObject {
  const { kyc_details: _, ...object } = recipientObject(recipient);
  return recipient.status === 'pending' ? { ...object, status: 'registration' } : object;
}

/** SDK 7.0.2: `getRecipientResponse`, and `kyc_details` of the page above. Personal data is not kept, so it is not shown. */
export function recipientObject(recipient: StoredRecipient): PagarmeObject {
  const { id, reference, status, at } = recipient;
  const state = { active: 'active', pending: 'affiliation', refused: 'refused' }[status];
  const created_at = instant(at);
  return {
    id: pagarmeRecipientIdOf(id),
    code: reference,
    status: state,
    payment_mode: 'bank_transfer',
    created_at,
    updated_at: created_at,
    transfer_settings: { transfer_enabled: true, transfer_interval: 'Daily', transfer_day: 0 },
    gateway_recipients: [
      { gateway: 'pagarme', status: state, pgid: gatewayIdOf(id), created_at, updated_at: created_at },
    ],
    kyc_details: kycDetailsOf(status),
    metadata: {},
  };
}

function kycDetailsOf(status: StoredRecipient['status']): PagarmeObject {
  switch (status) {
    case 'active':
      return { status: 'approved' };
    case 'pending':
      return { status: 'partially_denied', status_reason: 'additional_documents_required' };
    case 'refused':
      return { status: 'denied', status_reason: 'fully_denied' };
  }
}
