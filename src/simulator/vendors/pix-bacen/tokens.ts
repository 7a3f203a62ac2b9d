import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from '../../exchange';
import type { SimulatorResponse } from '../../replies';
import { tokenRequest } from './bodies';

const EXPIRES_IN_SECONDS = 3_600;
const MAX_TOKENS = 10_000;
export const SCOPES = [
  'cob.write',
  'cob.read',
  'pix.write',
  'pix.read',
  'webhook.write',
  'webhook.read',
] as const;
export type Scope = (typeof SCOPES)[number];

interface AccessToken {
  readonly secret: string;
  readonly scopes: ReadonlySet<string>;
  readonly certificate: string | null;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/**
 * The authorization server: OAuth 2.0 client credentials, as the document's security scheme says. Tokens are kept in memory,
 * so a restart ends them. A proxy that asks for client certificates names the client's in `x-forwarded-client-cert`: then a
 * token is bound to it (RFC 8705, section 3).
 */
export class PixTokens {
  private readonly tokens = new Map<string, AccessToken>();

  constructor(private readonly isAccepted: (secret: string) => boolean) {}

  /** `POST /oauth/token`. */
  issue(headers: IncomingHttpHeaders, body: string): SimulatorResponse {
    const [clientId, secret] = basicOf(headers) ?? [];
    if (!clientId || !secret || !this.isAccepted(secret)) return refused(401, 'invalid_client');
    const parsed = tokenRequest.safeParse(fieldsOf(headers, body));
    if (!parsed.success) return refused(400, 'invalid_request');
    const { grant_type, scope } = parsed.data;
    if (grant_type !== 'client_credentials') return refused(400, 'unsupported_grant_type');
    const scopes = scope === undefined ? [...SCOPES] : scope.split(' ').filter((name) => name !== '');
    const known: ReadonlySet<string> = new Set(SCOPES);
    if (scopes.some((name) => !known.has(name))) return refused(400, 'invalid_scope');
    const value = randomBytes(24).toString('base64url');
    const expiresAt = Date.now() + EXPIRES_IN_SECONDS * 1_000;
    this.tokens.set(value, {
      secret,
      scopes: new Set(scopes),
      certificate: certificateOf(headers),
      expiresAt,
    });
    const [oldest] = this.tokens.keys();
    if (this.tokens.size > MAX_TOKENS && oldest !== undefined) this.tokens.delete(oldest);
    const token = { access_token: value, token_type: 'Bearer', expires_in: EXPIRES_IN_SECONDS };
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { ...token, scope: scopes.join(' ') },
    };
  }

  /** The client's secret; null without a valid token, or with one of another client certificate. */
  secretOf(headers: IncomingHttpHeaders): string | null {
    const token = this.find(headers);
    return token?.certificate === certificateOf(headers) ? token.secret : null;
  }

  allows(headers: IncomingHttpHeaders, scope: Scope): boolean {
    return this.find(headers)?.scopes.has(scope) === true;
  }

  private find({ authorization = '' }: IncomingHttpHeaders): AccessToken | null {
    const token = this.tokens.get(/^Bearer (.+)$/.exec(authorization)?.[1] ?? '');
    return token !== undefined && token.expiresAt > Date.now() ? token : null;
  }
}

/** RFC 6749, section 5.2. */
function refused(status: number, error: string): SimulatorResponse {
  return { status, body: { error } };
}

function basicOf({ authorization = '' }: IncomingHttpHeaders): string[] | null {
  const basic = /^Basic (.+)$/.exec(authorization)?.[1];
  if (basic === undefined) return null;
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? [];
  return [id, secret];
}

/** A form, as RFC 6749 says; Efí and others also document JSON. */
function fieldsOf({ 'content-type': type = '' }: IncomingHttpHeaders, body: string): unknown {
  return type.startsWith('application/json')
    ? parseJson(body)
    : Object.fromEntries(new URLSearchParams(body));
}

function certificateOf({ 'x-forwarded-client-cert': certificate }: IncomingHttpHeaders): string | null {
  return typeof certificate === 'string' ? certificate : null;
}
