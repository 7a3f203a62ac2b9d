import { z } from 'zod';
import type { DisputeDriver } from '../disputes/dispute-driver';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import { get, post } from './calls';

const disputeReply = z.object({ id: z.string().min(1), status: z.enum(['opened', 'won', 'lost']) });

export const simulatorDisputes: DisputeDriver<GatewayContext> = {
  async accept(ctx, { gatewayDisputeId: id }) {
    const reply = await post(ctx, `/disputes/${encodeURIComponent(id)}/accept`, {}, disputeReply);
    if (reply.id !== id || reply.status !== 'lost')
      throw new GatewayError('ambiguous', 'the gateway answered without the result of the acceptance');
  },

  async findStatus(ctx, { gatewayDisputeId: id }) {
    const reply = await get(ctx, `/disputes/${encodeURIComponent(id)}`, disputeReply);
    if (reply.id !== id) throw new GatewayError('ambiguous', 'the gateway answered for another dispute');
    return reply.status;
  },
};
