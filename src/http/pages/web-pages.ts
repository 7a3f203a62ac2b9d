import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import { notFound, unavailable } from '../../domain/shared/errors';
import type { SessionCookie } from '../auth/session-cookie';
import { refuseMethod } from '../server/refuse-method';
import { setRoute } from '../server/request-context';
import { pagePreferences } from './page-preferences';

/** The nonce's placeholder in a page (`src/web/vite.config.ts`). */
const NONCE_PLACEHOLDER = '{{csp-nonce}}';
/** Whether the browser sent a session, `present` or `absent` (`src/web/dashboard/boot`). */
const SESSION_PLACEHOLDER = '{{session}}';
/** What was chosen for the pages in this browser (`page-preferences.ts`). */
const THEME_PLACEHOLDER = '{{theme}}';
const LANGUAGE_PLACEHOLDER = '{{language}}';
const YEAR_SECONDS = 31_536_000;

/**
 * `/dashboard` and every path below it: a single-page application. The page is read once at startup from the output of
 * `npm run build`; 503 if it was not built.
 */
export function dashboardRouter(folder: string, session: Pick<SessionCookie, 'read'>): Router {
  const page = readPage(join(folder, 'dashboard', 'index.html'));
  const router = Router();
  router.use(setRoute('/dashboard'));
  router.use(withNonce, CONTENT_SECURITY_POLICY);
  router.get('/{*path}', (req, res) => {
    if (page === null) throw unavailable('The dashboard is not built: npm run build makes it.');
    res.setHeader('Cache-Control', 'no-cache');
    const state = session.read(req) === null ? 'absent' : 'present';
    const { theme, language } = pagePreferences(req.headers.cookie);
    const html = page
      .replaceAll(NONCE_PLACEHOLDER, nonceOf(res))
      .replace(SESSION_PLACEHOLDER, state)
      .replace(THEME_PLACEHOLDER, theme)
      .replace(LANGUAGE_PLACEHOLDER, language);
    res.type('html').send(html);
  });
  router.all('/{*path}', refuseMethod(['GET']));
  return router;
}

/** `/assets/<name>-<hash>`: files that pages load. The name contains a hash of the content, so browsers can cache forever. */
export function assetsRouter(folder: string): Router {
  const files = join(folder, 'assets');
  const router = Router();
  router.use(setRoute('/assets'));
  if (existsSync(files)) {
    router.get('/{*path}', sirv(files, { gzip: true, brotli: true, immutable: true, maxAge: YEAR_SECONDS }));
  }
  router.get('/{*path}', () => {
    throw notFound();
  });
  router.all('/{*path}', refuseMethod(['GET']));
  return router;
}

/** A built page; null if it was not built. */
export function readPage(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** 128 bits, as required by Content Security Policy Level 3, section 2.3.1. */
const withNonce: RequestHandler = (_req, res, next) => {
  res.locals['nonce'] = randomBytes(16).toString('base64');
  next();
};

function nonceOf({ locals }: Pick<Response, 'locals'>): string {
  return String(locals['nonce']);
}

/** Scripts come from this host. The component library creates styles in the browser, with the page's nonce. */
const CONTENT_SECURITY_POLICY = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", (_req, res) => `'nonce-${nonceOf(res as Response)}'`],
    fontSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
});
