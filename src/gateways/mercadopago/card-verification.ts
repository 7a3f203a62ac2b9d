import { z } from 'zod';
import { GatewayError } from '../errors';
import type { CardVerificationRequest, Declined, GatewayContext, VerifiedCard } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { read, send } from './calls';
import { createToken } from './card-charge';
import { declineOf402 } from './create-payment';
import { declined } from './declines';
import { verificationBody } from './request-bodies';
import { validationReply } from './wire';

/** https://www.mercadopago.com.br/developers/en/docs/zero-dollar-auth/prerequisites */
const NETWORKS: ReadonlySet<string> = new Set(['visa', 'mastercard']);

/** An account that Mercado Pago has not enabled gets this with 403, and no code: page below, part on the permission list. */
const forbidden = z.strictObject({ message: z.literal('Forbidden') });

/**
 * Zero Dollar Auth: a payment of zero that is never captured, refunded or looked up.
 * https://www.mercadopago.com.br/developers/en/docs/zero-dollar-auth/integration
 */
export async function verifyCard(
  ctx: GatewayContext,
  request: CardVerificationRequest,
): Promise<VerifiedCard | Declined> {
  if (!NETWORKS.has(request.card.brand))
    throw new GatewayError('unsupported', 'this gateway verifies only Visa and Mastercard');
  // Built first: what cannot be verified needs no token.
  const bodyWith = (token: string): object => verificationBody(request, token);
  bodyWith('');
  const token = await createToken(ctx, request);
  if (typeof token !== 'string') return token;
  const { idempotencyKey, sendBefore } = ctx;
  const response = await send(ctx, {
    method: 'POST',
    path: 'payments',
    headers: { 'x-card-validation': 'card_validation' },
    body: bodyWith(token),
    idempotencyKey,
    sendBefore,
  });
  if (isForbidden(response))
    throw new GatewayError('unsupported', 'Mercado Pago has not enabled the verification of cards here');
  return declineOf402(response, null) ?? outcomeOf(read(response, validationReply), request);
}

function isForbidden({ status, text }: GatewayHttpResponse): boolean {
  return status === 403 && forbidden.safeParse(parseJson(text)).success;
}

function outcomeOf(
  { id, status, status_detail, external_reference }: z.output<typeof validationReply>,
  { reference }: CardVerificationRequest,
): VerifiedCard | Declined {
  if ((external_reference ?? reference) !== reference)
    throw new GatewayError('ambiguous', 'the gateway answered for another request');
  return status === 'approved' ? { kind: 'verified', networkIds: null } : declined(status_detail, id);
}
