import type { Schema } from '../api/client';

export type CheckoutOffer = Schema<'PublicPaymentLink'>;

/** Why nothing can be bought on this page. */
export type Problem =
  | 'not_found'
  | 'link_expired'
  | 'link_exhausted'
  | 'link_deleted'
  | 'session_used'
  | 'session_expired'
  | 'unavailable';

/** Data that the server embeds in the page (`src/http/pages/checkout-page.ts`). */
interface PageData {
  readonly problem: Problem | null;
  readonly offer: CheckoutOffer | null;
}

function readPageData(): PageData {
  const text = document.querySelector<HTMLMetaElement>('meta[name="checkout"]')?.content;
  return text ? (JSON.parse(text) as PageData) : { problem: 'unavailable', offer: null };
}

const [, , companySlug = '', linkSlug = ''] = location.pathname.split('/').map(decodeURIComponent);

/** The payment link of this page, from its URL. */
export const linkPath = { companySlug, linkSlug };

/**
 * `offer` is null when the link does not exist; it is set for an expired or used-up link, so that buyers still see
 * their receipt.
 */
export const { problem, offer } = readPageData();

/** The offer with the price that the session keeps; the link's may have changed since the page was loaded. */
export function offerOf(link: CheckoutOffer, session: Schema<'CheckoutSession'> | null): CheckoutOffer {
  if (session === null) return link;
  const { plan, amount, currency } = session;
  return { ...link, amount: plan?.amount ?? amount ?? link.amount, currency, plan };
}

/** Loads an image of this service from the current host, whatever its public host name is. */
export function onCurrentHost(url: string): string {
  return new URL(url, location.href).pathname;
}

/** Returns the company's URL if it is http or https, else null: other schemes are not followed. */
export function safeUrl(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  return ['http:', 'https:'].includes(new URL(url).protocol) ? url : null;
}
