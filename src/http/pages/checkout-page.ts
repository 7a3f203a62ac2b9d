import { join } from 'node:path';
import { Router, type ErrorRequestHandler, type Response } from 'express';
import { unavailable } from '../../domain/shared/errors';
import type { Logger } from '../../log';
import { toApiError } from '../server/error-handler';
import type { components } from '../generated/openapi';
import { pageRateLimit, type RateLimits } from '../server/rate-limit';
import { refuseMethod } from '../server/refuse-method';
import { readPage } from './web-pages';

type PublicLink = components['schemas']['PublicPaymentLink'];

/** What the page at a link's address shows. */
export interface CheckoutPage {
  readonly offer: PublicLink;
  /** Why nothing can be bought there now. */
  readonly problem: 'link_expired' | 'link_exhausted' | null;
  /** Whose pages may show it in a frame. */
  readonly frameOrigins: readonly string[];
}

/** The page at an address; null where nobody sells anything. */
export type FindCheckoutPage = (companySlug: string, linkSlug: string) => Promise<CheckoutPage | null>;

export interface CheckoutPageDeps {
  readonly webFolder: string;
  readonly findCheckoutPage: FindCheckoutPage;
  readonly rateLimits: RateLimits;
  readonly logger: Pick<Logger, 'error'>;
}

/** What the page reads of its own address before it asks for anything (`src/web/checkout/pay/billing-address.ts`). */
interface Embedded {
  readonly problem: 'not_found' | 'unavailable' | CheckoutPage['problem'];
  readonly offer: PublicLink | null;
}

/**
 * `/checkout/<company>/<link>`: where buyers pay. One page, which says by its status whether something is sold there: 404
 * where nothing is or a link was deleted, 410 when it is over. It never names a script of another host, and no other page
 * frames it but those of the company's choice.
 */
export function checkoutPageRouter(deps: CheckoutPageDeps): Router {
  const page = readPage(join(deps.webFolder, 'checkout', 'index.html'));
  const router = Router();
  const route = router.route('/:companySlug/:linkSlug');
  route.all((req, _res, next) => {
    req.context.route = '/checkout/{companySlug}/{linkSlug}';
    next();
  });
  const send = (res: Response, status: number, embedded: Embedded, frameOrigins: readonly string[]): void => {
    if (page === null) throw unavailable('The checkout is not built: npm run build makes it.');
    // The policy names who may frame it; the older header could only forbid everybody.
    res.removeHeader('X-Frame-Options');
    res.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(frameOrigins),
      'Referrer-Policy': 'no-referrer',
    });
    res.status(status).type('html').send(fill(page, embedded));
  };
  route.get(pageRateLimit(deps.rateLimits), async (req, res) => {
    const found = await deps.findCheckoutPage(req.params.companySlug, req.params.linkSlug);
    if (found === null) return send(res, 404, { problem: 'not_found', offer: null }, []);
    const { problem, offer, frameOrigins } = found;
    send(res, problem === null ? 200 : 410, { problem, offer }, frameOrigins);
  });
  route.all(refuseMethod(['GET']));
  if (page !== null) router.use(answerWithThePage(deps, send));
  return router;
}

/** A buyer who meets a busy service sees a page that says so, and can ask again there. */
function answerWithThePage(
  { logger }: CheckoutPageDeps,
  send: (res: Response, status: number, embedded: Embedded, frameOrigins: readonly string[]) => void,
): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const { status, retryAfterSeconds } = toApiError(error);
    if (status !== 429 && status < 500) return next(error);
    const { requestId, route } = req.context;
    if (status >= 500) logger.error({ request_id: requestId, route, err: error }, 'no checkout page');
    if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', retryAfterSeconds);
    send(res, status, { problem: 'unavailable', offer: null }, []);
  };
}

/** The places in the page, and what is put there (`src/web/checkout/index.html`). */
function fill(page: string, embedded: Embedded): string {
  const { offer } = embedded;
  const title = offer === null ? 'Checkout' : `${offer.name} · ${offer.company.name}`;
  const values: Readonly<Record<string, string>> = {
    title,
    description: offer?.description ?? '',
    checkout: JSON.stringify(embedded),
    // Nothing in the page needs one: its styles are files.
    'csp-nonce': '',
  };
  return page.replaceAll(/\{\{([a-z-]+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}

/** Scripts and styles are files of ours; pictures are the logo and the pix, which this service shows. */
function contentSecurityPolicy(frameOrigins: readonly string[]): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `font-src 'self'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors ${frameOrigins.length === 0 ? `'none'` : frameOrigins.join(' ')}`,
  ].join(';');
}
