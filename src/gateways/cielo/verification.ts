import { GatewayError } from '../errors';
import type { CardVerificationRequest, Declined, GatewayContext, VerifiedCard } from '../gateway';
import { readReply } from '../read-reply';
import { change } from './calls';
import { declinedBy } from './declines';
import { cieloErrorOf } from './errors';
import { networkIdsOf } from './outcomes';
import { verificationBody } from './request-bodies';
import { verificationReply } from './wire';

/** "Zero Auth": an authorization of zero, which Cielo's support enables. It is never looked up. */
export async function verifyCard(
  ctx: GatewayContext,
  request: CardVerificationRequest,
): Promise<VerifiedCard | Declined> {
  const body = verificationBody(request);
  const response = await change(ctx, {
    method: 'POST',
    path: 'zeroauth',
    body,
    requestId: request.reference,
  });
  if (response.status !== 200 && response.status !== 201) throw cieloErrorOf(response);
  const reply = readReply(response, verificationReply);
  if (!reply.Valid) return declinedBy(reply, null);
  if (reply.ReturnCode !== '00' && reply.ReturnCode !== '0')
    throw new GatewayError('ambiguous', 'the gateway does not tell the result of the verification');
  return { kind: 'verified', networkIds: networkIdsOf(reply) };
}
