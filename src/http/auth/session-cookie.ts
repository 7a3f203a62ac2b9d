import type { Request } from 'express';
import { BrowserCookie } from './browser-cookie';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The access token as browsers keep it for the dashboard. */
export class SessionCookie {
  private readonly own: URL;
  private readonly cookie: BrowserCookie;

  /** The service's address as browsers see it. */
  constructor(publicBaseUrl: string) {
    this.own = new URL(publicBaseUrl);
    this.cookie = new BrowserCookie('session', publicBaseUrl);
  }

  /** A `Set-Cookie` header's value. */
  create(token: string, expires: Date): string {
    return this.cookie.create(token, expires);
  }

  /** A `Set-Cookie` header's value that makes the browser forget. */
  clear(): string {
    return this.cookie.create('', new Date(0));
  }

  /** The token of a request from anywhere, or null. */
  read(req: Request): string | null {
    return this.cookie.read(req);
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
