import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie';
import type { Request } from 'express';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * The access token as browsers keep it for the dashboard: out of the reach of scripts (HttpOnly) and of other sites
 * (SameSite=Strict). Over TLS its name begins with `__Host-`, so that no neighbouring host can plant another
 * (RFC 6265bis, section 4.1.3).
 */
export class SessionCookie {
  private readonly own: URL;
  private readonly name: string;
  private readonly attributes: Omit<SetCookie, 'name' | 'value'>;

  /** The service's address as browsers see it. */
  constructor(publicBaseUrl: string) {
    this.own = new URL(publicBaseUrl);
    const secure = this.own.protocol === 'https:';
    this.name = secure ? '__Host-session' : 'session';
    this.attributes = { httpOnly: true, sameSite: 'strict', path: '/', secure };
  }

  /** A `Set-Cookie` header's value. */
  create(token: string, expires: Date): string {
    return stringifySetCookie({ ...this.attributes, name: this.name, value: token, expires });
  }

  /** A `Set-Cookie` header's value that makes the browser forget. */
  clear(): string {
    return stringifySetCookie({ ...this.attributes, name: this.name, value: '', expires: new Date(0) });
  }

  /** The token of a request from anywhere, or null. */
  read({ headers }: Request): string | null {
    return parseCookie(headers.cookie ?? '')[this.name] ?? null;
  }

  /**
   * The token of a request that one of our own pages made, or null. A browser adds cookies to what any page sends, and
   * `Origin`, which no page can change, to whatever is more than reading (OWASP, Cross-Site Request Forgery Prevention:
   * verifying the origin): a change counts only from our own.
   */
  readFromOwnPage(req: Request): string | null {
    return READS.has(req.method) || this.isOwn(req) ? this.read(req) : null;
  }

  /** Under the public address, or under whichever name the browser reached this very host by. */
  private isOwn({ headers: { origin, host } }: Request): boolean {
    return origin === this.own.origin || origin === `${this.own.protocol}//${host ?? ''}`;
  }
}
