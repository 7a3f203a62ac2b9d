import { z } from 'zod';
import type { DisputeDriver, GatewayEvidence } from '../disputes/dispute-driver';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import { get, post } from './calls';
import type { EvidenceBody } from './wire-evidence';

const disputeReply = z.object({
  id: z.string().min(1),
  status: z.enum(['opened', 'submitted', 'won', 'lost']),
});

export const simulatorDisputes: DisputeDriver<GatewayContext> = {
  async accept(ctx, { gatewayDisputeId: id }) {
    const reply = await post(ctx, `${pathOf(id)}/accept`, {}, disputeReply);
    if (reply.id !== id || reply.status !== 'lost')
      throw new GatewayError('ambiguous', 'the gateway answered without the result of the acceptance');
  },

  async submit(ctx, { gatewayDisputeId: id }, evidence) {
    const body: EvidenceBody = { evidence: evidence.map(bodyOf) };
    const reply = await post(ctx, `${pathOf(id)}/evidence`, body, disputeReply);
    if (reply.id !== id || reply.status !== 'submitted')
      throw new GatewayError('ambiguous', 'the gateway answered without the result of the submission');
  },

  async findStatus(ctx, { gatewayDisputeId: id }) {
    const reply = await get(ctx, pathOf(id), disputeReply);
    if (reply.id !== id) throw new GatewayError('ambiguous', 'the gateway answered for another dispute');
    return reply.status;
  },
};

function pathOf(id: string): string {
  return `/disputes/${encodeURIComponent(id)}`;
}

function bodyOf(evidence: GatewayEvidence): EvidenceBody['evidence'][number] {
  const { kind } = evidence;
  if ('text' in evidence) return { kind, text: evidence.text };
  const { name, contentType, bytes } = evidence.file;
  return { kind, file: { name, content_type: contentType, content: bytes.toString('base64') } };
}
