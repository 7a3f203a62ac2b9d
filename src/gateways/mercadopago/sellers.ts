import type { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import { GatewayError } from '../errors';
import type { ChargeRequest, FollowUp, GatewayContext } from '../gateway';
import { parseJson } from '../parse-json';
import { readReply } from '../read-reply';
import type { ConsentCode, ConsentRequest, RecipientAuthorization, RecipientGrant } from '../recipient';
import { codesOf, mercadoPagoErrorOf, ownError } from './errors';
import { sellerSecret, tokensReply } from './wire';

/** The names in the platform's account, besides its access token. */
export const CLIENT_SECRET_FIELD = 'client_secret';
export const FEE_FIELD = 'application_fee_percent';

/** Sellers let the platform's application act for them: https://www.mercadopago.com.br/developers/en/docs/security/oauth/creation */
export const SELLER_AUTHORIZATION: RecipientAuthorization<GatewayContext> = {
  consentUrl(ctx: GatewayContext, { redirectUri, state, codeChallenge }: ConsentRequest): string {
    const query = new URLSearchParams({
      client_id: applicationOf(ctx).client_id,
      response_type: 'code',
      platform_id: 'mp',
      state,
      redirect_uri: redirectUri,
      // https://www.mercadopago.com.br/developers/en/docs/security/oauth/pkce
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
    return `${endpointUrl(ctx, 'auth')}/authorization?${query.toString()}`;
  },

  redeem: (ctx: GatewayContext, { code, redirectUri, codeVerifier }: ConsentCode) =>
    requestTokens(ctx, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }),

  /** https://www.mercadopago.com.br/developers/en/docs/security/oauth/renewal: each renewal replaces the refresh token, too. */
  renew: (ctx: GatewayContext, secret: string) =>
    requestTokens(ctx, { grant_type: 'refresh_token', refresh_token: readSecret(secret).refresh_token }),
};

async function requestTokens(ctx: GatewayContext, grant: object): Promise<RecipientGrant> {
  const response = await ctx.http.send({
    method: 'POST',
    url: `${endpointUrl(ctx, 'api')}/oauth/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...applicationOf(ctx), ...grant }),
    sendBefore: ctx.sendBefore,
  });
  const error = ownError(response);
  if (error !== null && codesOf(error).includes('invalid_grant'))
    throw new GatewayError('invalid_request', 'Mercado Pago no longer accepts the consent', 'invalid_grant');
  if (response.status !== 200) throw mercadoPagoErrorOf(response);
  const { access_token, refresh_token, expires_in, user_id } = readReply(response, tokensReply);
  return {
    recipientId: user_id,
    secret: JSON.stringify({ access_token, refresh_token }),
    expiresInMs: expires_in * 1000,
  };
}

/** @throws GatewayError `unsupported` if the platform's account has no application */
function applicationOf({ clientId, credentials }: GatewayContext): {
  readonly client_id: string;
  readonly client_secret: string;
} {
  const secret = credentials[CLIENT_SECRET_FIELD];
  if (clientId === null || secret === undefined)
    throw new GatewayError('unsupported', 'the platform has no application at Mercado Pago');
  return { client_id: clientId, client_secret: secret };
}

/** The access token of a call: the seller's, or the account's own. */
export function accessTokenOf({ recipient, secretKey }: GatewayContext): string {
  return recipient === undefined ? secretKey : readSecret(recipient.secret).access_token;
}

function readSecret(secret: string): z.output<typeof sellerSecret> {
  const read = sellerSecret.safeParse(parseJson(secret));
  if (!read.success) throw new GatewayError('bad_credentials', 'the seller has given no token');
  return read.data;
}

type SplitRequest = Pick<ChargeRequest | FollowUp, 'splits' | 'amountCents'>;

/**
 * A payment is one seller's, and only the seller's token makes it and changes it:
 * https://www.mercadopago.com.br/developers/en/docs/split-payments/integration-configuration/integrate-marketplace
 *
 * @throws GatewayError
 */
export function requireSeller({ recipient }: GatewayContext, { splits, amountCents }: SplitRequest): void {
  const [split, ...others] = splits;
  if (split === undefined) return;
  if (others.length > 0) throw new GatewayError('unsupported', 'this gateway pays one seller of a payment');
  if (split.amountCents !== amountCents)
    throw new GatewayError('invalid_request', 'the split is not the whole amount');
  if (recipient?.recipientId !== split.recipientId)
    throw new GatewayError('invalid_request', 'the payment is made with the token of another account');
}

/** Cents of a seller's payment that the platform keeps, by the percentage of its account; null for the account's own payments. */
export function applicationFee(
  { recipient, credentials }: GatewayContext,
  amountCents: number,
): number | null {
  if (recipient === undefined) return null;
  const percent = credentials[FEE_FIELD];
  if (percent === undefined) return null;
  // It has at most two decimals.
  const basisPoints = Math.round(Number(percent) * 100);
  return Math.floor((amountCents * basisPoints) / 10_000);
}
