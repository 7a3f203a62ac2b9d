import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie';
import type { Request } from 'express';

/**
 * A cookie out of the reach of scripts (HttpOnly) and of other sites (SameSite=Strict). Over TLS its name begins with
 * `__Host-`, so that no neighbouring host can plant another (RFC 6265bis, section 4.1.3).
 */
export class BrowserCookie {
  private readonly name: string;
  private readonly attributes: Omit<SetCookie, 'name' | 'value'>;

  /** `publicBaseUrl`: the service's address as browsers see it. */
  constructor(name: string, publicBaseUrl: string) {
    const secure = new URL(publicBaseUrl).protocol === 'https:';
    this.name = secure ? `__Host-${name}` : name;
    this.attributes = { httpOnly: true, sameSite: 'strict', path: '/', secure };
  }

  /** A `Set-Cookie` header's value. */
  create(value: string, expires: Date): string {
    return stringifySetCookie({ ...this.attributes, name: this.name, value, expires });
  }

  /** The request's value of the cookie, or null. */
  read({ headers }: Pick<Request, 'headers'>): string | null {
    return parseCookie(headers.cookie ?? '')[this.name] ?? null;
  }
}
