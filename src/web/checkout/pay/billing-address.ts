import type { Schema } from '../../api/client';

export type Offer = Schema<'PublicPaymentLink'>;

/** Why nothing can be bought here. */
export type Problem =
  | 'not_found'
  | 'link_expired'
  | 'link_exhausted'
  | 'link_deleted'
  | 'session_used'
  | 'session_expired'
  | 'unavailable';

/** What the server knew of this address when it sent the page (`src/http/pages/checkout-page.ts`). */
interface Embedded {
  readonly problem: Problem | null;
  readonly offer: Offer | null;
}

function readEmbedded(): Embedded {
  const text = document.querySelector<HTMLMetaElement>('meta[name="checkout"]')?.content;
  return text ? (JSON.parse(text) as Embedded) : { problem: 'unavailable', offer: null };
}

const [, , companySlug = '', linkSlug = ''] = location.pathname.split('/').map(decodeURIComponent);

/** The link that this page belongs to, by the two parts of its address. */
export const linkAddress = { companySlug, linkSlug };

/** `offer` is null where nothing is sold; it is there when something was, for those who have bought. */
export const { problem, offer } = readEmbedded();

/** A picture of this service, which this host shows too, whatever name the service has outside. */
export function onThisHost(url: string): string {
  return new URL(url, location.href).pathname;
}

/** An address of the company's that may be followed: nothing but a web page. */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  return ['http:', 'https:'].includes(new URL(url).protocol) ? url : null;
}
