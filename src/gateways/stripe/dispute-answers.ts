import { z } from 'zod';
import type { EvidenceKind } from '../../domain/disputes/dispute-evidence';
import type { DisputeDriver, GatewayDisputeStatus, GatewayEvidence } from '../disputes/dispute-driver';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import { get, post, uploadFile } from './calls';

const disputeReply = z.object({
  id: z.string().min(1),
  object: z.literal('dispute'),
  status: z.enum([
    'needs_response',
    'under_review',
    'won',
    'lost',
    'prevented',
    'warning_needs_response',
    'warning_under_review',
    'warning_closed',
  ]),
});
type DisputeReply = z.output<typeof disputeReply>;

const fileReply = z.object({ id: z.string().min(1), object: z.literal('file') });

/** As `MEANING` of the events. */
const STATUS: Readonly<Record<DisputeReply['status'], GatewayDisputeStatus>> = {
  needs_response: 'opened',
  under_review: 'submitted',
  won: 'won',
  lost: 'lost',
  prevented: 'won',
  warning_needs_response: 'opened',
  warning_under_review: 'submitted',
  warning_closed: 'won',
};

/** Characters of one text: https://docs.stripe.com/api/disputes/update */
const MAX_TEXT = 20_000;

/** https://docs.stripe.com/disputes/api */
export const stripeDisputes = {
  /** https://docs.stripe.com/api/disputes/close */
  async accept(ctx, { gatewayDisputeId: id }) {
    const reply = await post(ctx, { path: `${pathOf(id)}/close`, params: {}, ...once(ctx) }, disputeReply);
    if (reply.id !== id || reply.status !== 'lost')
      throw new GatewayError('ambiguous', 'the gateway answered without the result of the acceptance');
  },

  /** https://docs.stripe.com/api/files/create */
  async uploadFile(ctx, { name, contentType, bytes }) {
    const form = new FormData();
    form.set('purpose', 'dispute_evidence');
    form.set('file', new Blob([new Uint8Array(bytes)], { type: contentType }), name);
    return (await uploadFile(ctx, form, fileReply)).id;
  },

  /** https://docs.stripe.com/api/disputes/update */
  async submit(ctx, { gatewayDisputeId: id }, evidence) {
    const params = { evidence: evidenceParams(evidence), submit: true };
    const reply = await post(ctx, { path: pathOf(id), params, ...once(ctx) }, disputeReply);
    if (reply.id !== id || STATUS[reply.status] === 'opened')
      throw new GatewayError('ambiguous', 'the gateway answered without the result of the submission');
  },

  async findStatus(ctx, { gatewayDisputeId: id }) {
    const reply = await get(ctx, pathOf(id), {}, disputeReply);
    if (reply.id !== id) throw new GatewayError('ambiguous', 'the gateway answered for another dispute');
    return STATUS[reply.status];
  },
} satisfies DisputeDriver<GatewayContext>;

function once({ idempotencyKey, sendBefore }: GatewayContext) {
  return { idempotencyKey, sendBefore };
}

function pathOf(id: string): string {
  return `disputes/${encodeURIComponent(id)}`;
}

/** The properties of Stripe's `evidence` that are named otherwise here. */
const TEXT_NAMES: Partial<Record<EvidenceKind, string>> = { explanation: 'uncategorized_text' };
const FILE_NAMES: Partial<Record<EvidenceKind, string>> = { other: 'uncategorized_file' };

function evidenceParams(evidence: readonly GatewayEvidence[]): Readonly<Record<string, string>> {
  const params = new Map<string, string>();
  for (const piece of evidence) {
    if ('text' in piece) continue;
    if (piece.uploadedId === null) throw new Error('a file of the evidence was not uploaded');
    params.set(FILE_NAMES[piece.kind] ?? piece.kind, piece.uploadedId);
  }
  for (const piece of evidence) {
    if (!('text' in piece)) continue;
    // Stripe takes what was said to the customer as a file alone.
    const isCommunication = piece.kind === 'customer_communication';
    const name = isCommunication ? 'uncategorized_text' : (TEXT_NAMES[piece.kind] ?? piece.kind);
    const text = isCommunication ? `Communication with the customer:\n${piece.text}` : piece.text;
    const joined = [params.get(name), text].filter((part) => part !== undefined).join('\n\n');
    if (joined.length > MAX_TEXT)
      throw new GatewayError(
        'invalid_request',
        `Stripe takes ${MAX_TEXT} characters of explanation and customer_communication together`,
      );
    params.set(name, joined);
  }
  return Object.fromEntries(params);
}
