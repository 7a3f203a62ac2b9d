import type { PauseSubscription } from '../shared/pause-subscription';
import type { RoutingRule } from '../routing/routing-rules';
import type { InstallmentTerms } from './installment-terms';

/** A company's payment and branding settings (docs/decisions/companies-and-users.md). */
export interface CompanyConfig {
  /** IANA name. */
  readonly timezone: string;
  /** Days after the first failure on which a subscription charge is retried. */
  readonly dunningDays: readonly number[];
  readonly routingRules: readonly RoutingRule[];
  readonly pixExpiresInSeconds: number;
  /** Business days a customer has to pay a billet. */
  readonly billetDueDays: number;
  readonly brand: Brand;
  /** Origins that may embed the checkout in a frame. */
  readonly checkoutFrameOrigins: readonly string[];
  /** What checkouts offer unless their link or session sets something else. */
  readonly installments: InstallmentTerms;
  /** From when on a dispute pauses the subscription whose charge is disputed. */
  readonly pauseSubscription: PauseSubscription;
  /** Whether buyers at a checkout get a receipt by mail. */
  readonly sendsReceipts: boolean;
}

export interface Brand {
  /** Null to use the company's name. */
  readonly name: string | null;
  readonly logo: Logo | null;
  /** `#rrggbb`. */
  readonly color: string | null;
}

/** A logo image that this service hosts. */
export interface Logo {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly contentType: LogoType;
  /** The URL it was downloaded from. */
  readonly sourceUrl: string;
}

/** Image types without active content. SVG is excluded because it may contain scripts. */
export const LOGO_EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;
export type LogoType = keyof typeof LOGO_EXTENSIONS;

export const MAX_LOGO_BYTES = 256 * 1024;

/** Detects the image type from the first bytes, since the Content-Type is not trusted; null for other types. */
export function logoTypeOf(bytes: Uint8Array): LogoType | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : null;
}

/** The public URL of a logo. */
export function logoUrl(
  { hash, contentType }: Pick<Logo, 'hash' | 'contentType'>,
  publicBaseUrl: string,
): string {
  return `${publicBaseUrl}/logos/${hash}.${LOGO_EXTENSIONS[contentType]}`;
}
