import { join } from 'node:path';
import { Router, type ErrorRequestHandler, type Response } from 'express';
import { ERROR_STATUS, unavailable } from '../../domain/shared/errors';
import type { Logger } from '../../log';
import { setErrorHeaders, toApiError } from '../server/error-handler';
import type { components } from '../generated/openapi';
import { pageRateLimit, type RateLimits } from '../server/rate-limit';
import { refuseMethod } from '../server/refuse-method';
import { setRoute } from '../server/request-context';
import { readPage } from './web-pages';

type PublicLink = components['schemas']['PublicPaymentLink'];

/** The content of a link's checkout page. */
export interface CheckoutPage {
  readonly offer: PublicLink;
  /** Why the link accepts no purchase; null if it does. */
  readonly problem: 'link_expired' | 'link_exhausted' | null;
  /** Origins that may embed the page in a frame. */
  readonly frameOrigins: readonly string[];
}

/** The page at a link's address; null if there is no active link. */
export type LoadCheckoutPage = (companySlug: string, linkSlug: string) => Promise<CheckoutPage | null>;

export interface CheckoutPageDeps {
  readonly webFolder: string;
  readonly findCheckoutPage: LoadCheckoutPage;
  readonly rateLimits: RateLimits;
  readonly logger: Pick<Logger, 'error'>;
}

/** Data embedded in the page, so that it can render before its first request (`src/web/checkout/page-data.ts`). */
interface CheckoutPageData {
  readonly problem: 'not_found' | 'unavailable' | CheckoutPage['problem'];
  readonly offer: PublicLink | null;
}

type SendPage = (
  res: Response,
  status: number,
  data: CheckoutPageData,
  frameOrigins: readonly string[],
) => void;

/**
 * `/checkout/<company>/<link>`: the page where buyers pay. 404 without an active link, 410 if the link has ended. The page
 * loads scripts only from this host, and only pages of the company's choice can embed it.
 */
export function checkoutPageRouter(deps: CheckoutPageDeps): Router {
  const page = readPage(join(deps.webFolder, 'checkout', 'index.html'));
  const router = Router();
  const route = router.route('/:companySlug/:linkSlug');
  route.all(setRoute('/checkout/{companySlug}/{linkSlug}'));
  const send: SendPage = (res, status, data, frameOrigins) => {
    if (page === null) throw unavailable('The checkout is not built: npm run build makes it.');
    // The policy's frame-ancestors replaces this older header, which cannot name origins.
    res.removeHeader('X-Frame-Options');
    res.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(frameOrigins),
      'Referrer-Policy': 'no-referrer',
    });
    res.status(status).type('html').send(render(page, data));
  };
  route.get(pageRateLimit(deps.rateLimits), async (req, res) => {
    const found = await deps.findCheckoutPage(req.params.companySlug, req.params.linkSlug);
    if (found === null) return send(res, ERROR_STATUS.not_found, { problem: 'not_found', offer: null }, []);
    const { problem, offer, frameOrigins } = found;
    send(res, problem === null ? 200 : ERROR_STATUS[problem], { problem, offer }, frameOrigins);
  });
  route.all(refuseMethod(['GET']));
  if (page !== null) router.use(answerErrorsWithPage(deps, send));
  return router;
}

/** If the service is busy or failing, the buyer gets a page that says so and offers to retry. */
function answerErrorsWithPage({ logger }: CheckoutPageDeps, send: SendPage): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const apiError = toApiError(error);
    const { status } = apiError;
    if (status !== ERROR_STATUS.rate_limited && status < 500) return next(error);
    const { requestId, route } = req.context;
    if (status >= 500) logger.error({ request_id: requestId, route, err: error }, 'checkout page failed');
    setErrorHeaders(res, apiError);
    send(res, status, { problem: 'unavailable', offer: null }, []);
  };
}

/** Fills the page's placeholders (`src/web/checkout/index.html`). */
function render(page: string, data: CheckoutPageData): string {
  const { offer } = data;
  const title = offer === null ? 'Checkout' : `${offer.name} · ${offer.company.name}`;
  const values: Readonly<Record<string, string>> = {
    title,
    description: offer?.description ?? '',
    checkout: JSON.stringify(data),
    // The page has no inline styles, so it needs no nonce.
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
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Scripts, styles and images come from this host; the pix code is a data: image. */
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
