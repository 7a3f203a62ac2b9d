import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { accountIdOf, type Accounts } from '../../accounts';
import type { SimulatorResponse } from '../../replies';
import { type MercadoPagoEndpoint, type MercadoPagoObject, NO_PAYMENT, reply } from './endpoint';
import { errorOf } from './errors';
import { invalidBody } from './parameters';

/** https://www.mercadopago.com.br/developers/en/docs/security/oauth/creation: a code lasts 10 minutes, a token 180 days. */
const CODE_LIFETIME_MS = 10 * 60 * 1000;
const TOKEN_LIFETIME_SECONDS = 15_552_000;
const MAX_STORED = 10_000;
/** Begins the account of a seller; the user id follows. */
export const SELLER = 'seller-';

/** mercadopago/openapi, `createOAuthToken`. */
const tokenBody = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  grant_type: z.enum(['authorization_code', 'refresh_token', 'client_credentials']),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
  /** Of a seller of the test environment. */
  test_token: z.union([z.string(), z.boolean()]).optional(),
});

/** https://www.mercadopago.com.br/developers/en/docs/security/oauth/pkce: mandatory for applications that have switched it on. */
interface Challenge {
  readonly method: 'S256' | 'plain';
  readonly value: string;
}

interface Grant {
  readonly clientId: string;
  readonly userId: number;
  readonly redirectUri: string | null;
  /** Null without PKCE. */
  readonly challenge: Challenge | null;
  readonly until: number;
}

/** Sellers who let an application act for them. Codes and refresh tokens pay once, and end with the process. */
export class OAuth {
  constructor(private readonly accounts: Accounts) {}

  private readonly grants = new Map<string, Grant>();

  /** `GET /authorization`: the seller consents at once, and is sent back with a code. */
  authorize(query: URLSearchParams): MercadoPagoEndpoint {
    return {
      summary: NO_PAYMENT,
      isPublic: true,
      check: () => {
        const clientId = query.get('client_id');
        const redirectUri = query.get('redirect_uri');
        const challenge = challengeOf(query);
        if (
          clientId === null ||
          redirectUri === null ||
          !URL.canParse(redirectUri) ||
          query.get('response_type') === 'token' ||
          challenge === 'invalid'
        )
          return errorOf(400, {
            code: 'invalid_request',
            description: 'client_id and redirect_uri are required',
          });
        return reply(() => {
          const code = `TG-${randomBytes(16).toString('hex')}`;
          this.keep(code, {
            clientId,
            // The seller who is signed in at the page. A test says who; each visitor is another one otherwise.
            userId: Number(query.get('simulated_user')) || newUserId(),
            redirectUri,
            challenge,
            until: Date.now() + CODE_LIFETIME_MS,
          });
          const target = new URL(redirectUri);
          target.searchParams.set('code', code);
          const state = query.get('state');
          if (state !== null) target.searchParams.set('state', state);
          return { status: 302, headers: { location: target.toString() }, body: {} };
        });
      },
    };
  }

  /** `POST /oauth/token` */
  token(body: unknown): MercadoPagoEndpoint {
    return {
      summary: { ...NO_PAYMENT, operation: 'recipient' },
      isPublic: true,
      check: () => {
        const parsed = tokenBody.safeParse(body);
        if (!parsed.success) return invalidBody(parsed.error);
        const { grant_type, client_id: clientId, client_secret: clientSecret } = parsed.data;
        const { code, refresh_token, redirect_uri, code_verifier: verifier = null } = parsed.data;
        return reply(() => {
          if (grant_type === 'client_credentials') return this.issue(clientId, newUserId());
          const used = (grant_type === 'refresh_token' ? refresh_token : code) ?? '';
          const grant = this.take(used);
          const isRedirected = grant?.redirectUri === null || grant?.redirectUri === redirect_uri;
          const isProven = grant !== null && provesChallenge(grant.challenge, verifier);
          if (grant === null || grant.clientId !== clientId || !isRedirected || !isProven)
            return INVALID_GRANT;
          // Notifications about a seller's payments go to the application, whose settings tests give to its secret.
          this.accounts.inherit(`${SELLER}${grant.userId}`, accountIdOf(clientSecret));
          return this.issue(clientId, grant.userId);
        });
      },
    };
  }

  private issue(clientId: string, userId: number): SimulatorResponse {
    const refreshToken = `TG-${randomBytes(16).toString('hex')}-${userId}`;
    const until = Date.now() + TOKEN_LIFETIME_SECONDS * 1000;
    this.keep(refreshToken, { clientId, userId, redirectUri: null, challenge: null, until });
    return { status: 200, body: tokenObject(clientId, userId, refreshToken) };
  }

  private keep(name: string, grant: Grant): void {
    this.grants.set(name, grant);
    const [oldest] = this.grants.keys();
    if (this.grants.size > MAX_STORED && oldest !== undefined) this.grants.delete(oldest);
  }

  private take(name: string): Grant | null {
    const grant = this.grants.get(name);
    this.grants.delete(name);
    return grant !== undefined && grant.until > Date.now() ? grant : null;
  }
}

/** RFC 7636 section 4.3, to which the page above refers. */
function challengeOf(query: URLSearchParams): Challenge | null | 'invalid' {
  const value = query.get('code_challenge');
  if (value === null) return null;
  const method = query.get('code_challenge_method') ?? 'plain';
  const isMethod = method === 'S256' || method.toLowerCase() === 'plain';
  if (!isMethod || !/^[\w.~-]{43,128}$/.test(value)) return 'invalid';
  return { method: method === 'S256' ? 'S256' : 'plain', value };
}

/** RFC 7636 section 4.6. A verifier without a challenge is ignored. */
function provesChallenge(challenge: Challenge | null, verifier: string | null): boolean {
  if (challenge === null) return true;
  if (verifier === null) return false;
  const { method, value } = challenge;
  return (
    value === (method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url'))
  );
}

const INVALID_GRANT: SimulatorResponse = {
  status: 400,
  body: { message: 'Error validating grant', error: 'invalid_grant', status: 400, cause: [] },
};

const newUserId = (): number => Number.parseInt(randomBytes(4).toString('hex'), 16);

/** Mock `oauth_base` of mercadopago/sdk-php. The token can be told from others, so that no list of them must be kept. */
function tokenObject(clientId: string, userId: number, refreshToken: string): MercadoPagoObject {
  const issued = `${clientId}-${randomBytes(3).toString('hex')}`;
  return {
    access_token: `APP_USR-${issued}-${markOf(issued, userId)}-${userId}`,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: 'offline_access read write',
    user_id: userId,
    refresh_token: refreshToken,
    public_key: `APP_USR-${randomBytes(16).toString('hex')}`,
    live_mode: true,
  };
}

const markOf = (issued: string, userId: number | string): string =>
  createHash('sha256').update(`${issued}-${userId}`).digest('hex').slice(0, 32);

/** Whether a seller gave it to an application: only then may a payment have an `application_fee`. */
export function isSellerToken(token: string): boolean {
  return sellerIn(token) !== null;
}

function sellerIn(token: string): string | null {
  const [, issued = '', mark, userId = ''] = /^APP_USR-(.+)-([0-9a-f]{32})-(\d+)$/.exec(token) ?? [];
  return mark !== undefined && mark === markOf(issued, userId) ? userId : null;
}

/** The account of a seller's token: the seller's, so that a renewed token shows the payments of the earlier ones. */
export function sellerAccountOf(token: string | null): string | null {
  const seller = sellerIn(token ?? '');
  return seller === null ? null : `${SELLER}${seller}`;
}
