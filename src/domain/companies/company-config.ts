import type { RoutingRule } from '../routing/routing-rules';

/** How a company wants its payments made and its pages to look (decisions, section 11). */
export interface CompanyConfig {
  /** IANA name. */
  readonly timezone: string;
  /** Days after the first failure on which a subscription's charge is tried again. */
  readonly dunningDays: readonly number[];
  readonly routingRules: readonly RoutingRule[];
  readonly pixExpiresInSeconds: number;
  /** Business days a customer has to pay a billet. */
  readonly billetDueDays: number;
  readonly brand: Brand;
  /** Whose pages may show the checkout in a frame. */
  readonly checkoutFrameOrigins: readonly string[];
}

export interface Brand {
  /** Null: the company's name. */
  readonly name: string | null;
  readonly logo: Logo | null;
  /** `#rrggbb`. */
  readonly color: string | null;
}

/** A picture served from here. */
export interface Logo {
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string;
  readonly contentType: LogoType;
  /** Where it was fetched. */
  readonly sourceUrl: string;
}

/** Kinds of pictures that are nothing but pictures: an SVG may hold scripts. */
export const LOGO_EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;
export type LogoType = keyof typeof LOGO_EXTENSIONS;

export const MAX_LOGO_BYTES = 256 * 1024;

/** What a picture is by its first bytes, whatever its sender says; null when it is none that is served. */
export function logoTypeOf(bytes: Uint8Array): LogoType | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : null;
}

/** Where a logo is shown. */
export function logoUrl(
  { hash, contentType }: Pick<Logo, 'hash' | 'contentType'>,
  publicBaseUrl: string,
): string {
  return `${publicBaseUrl}/logos/${hash}.${LOGO_EXTENSIONS[contentType]}`;
}
