import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { LRUCache } from 'lru-cache';
import { unavailable } from '../../domain/shared/errors';
import type { Contract } from './contract';
import { refuseMethod } from './refuse-method';
import { setRoute } from './request-context';

/** A new version of the service may change any of these files. */
const CACHE_CONTROL = 'public, max-age=3600';
/** The address of the API in code samples (`src/dev/build/docs/samples.ts`). */
const BASE_URL_PLACEHOLDER = '{{base-url}}';
/** Pages that stay in memory, each of about 100 KB with its compressed copies. */
const PAGES_IN_MEMORY = 100;

export interface DocsDeps {
  readonly contract: Pick<Contract, 'document' | 'basePath'>;
  /** The service's address as browsers see it. */
  readonly publicBaseUrl: string;
  /** Output folder of `npm run build`. */
  readonly webFolder: string;
}

interface DocsFile {
  readonly etag: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

type Encoding = (typeof ENCODINGS)[number];
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

/**
 * `/docs`: the documentation, as pages that `npm run build` has made (`src/dev/build/docs`), and the contract at
 * `/docs/openapi.json`. Loads everything from this host. 503 if the pages were not built.
 */
export function docsRouter({ contract, publicBaseUrl, webFolder }: DocsDeps): Router {
  const folder = join(webFolder, 'docs', 'pages');
  const names = existsSync(folder) ? listFiles(folder) : null;
  const baseUrl = `${publicBaseUrl.replace(/\/$/, '')}${contract.basePath}`;
  const files = new LRUCache<string, Promise<DocsFile>>({ max: PAGES_IN_MEMORY });
  const file = (name: string, load: () => Promise<string>): Promise<DocsFile> => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const loading = load().then(compressed);
    files.set(name, loading);
    loading.catch(() => files.delete(name));
    return loading;
  };
  const page = (name: string): Promise<DocsFile> =>
    file(name, async () =>
      (await readFile(join(folder, name), 'utf8')).replaceAll(BASE_URL_PLACEHOLDER, baseUrl),
    );

  const router = Router();
  router.use(setRoute('/docs'));
  router.use(CONTENT_SECURITY_POLICY, forbidCaching);
  router.get('/openapi.json', async (req, res) => {
    const json = await file('openapi.json', () => Promise.resolve(JSON.stringify(contract.document)));
    send(req, res.type('application/json'), json);
  });
  router.get('/{*path}', async (req, res, next) => {
    if (names === null) throw unavailable('The documentation is not built: npm run build makes it.');
    const path = req.path.replaceAll(/^\/|\/$/g, '');
    const name = path === 'search.json' ? path : `${path === '' ? 'index' : path}.html`;
    if (!names.has(name)) return next();
    send(req, res.type(name === path ? 'application/json' : 'html'), await page(name));
  });
  router.all(['/', '/openapi.json'], refuseMethod(['GET']));
  return router;
}

function listFiles(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Set(files.map((file) => file.replaceAll(sep, '/')));
}

async function compressed(text: string): Promise<DocsFile> {
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  return {
    etag: `"${createHash('sha256').update(text).digest('base64url')}"`,
    bodies: { br, gzip: zipped, identity },
  };
}

function send(req: Request, res: Response, { etag, bodies }: DocsFile): void {
  const encoding = req.acceptsEncodings(...ENCODINGS) || 'identity';
  res.set({ ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': CACHE_CONTROL });
  if (req.fresh) return void res.status(304).end();
  if (encoding !== 'identity') res.set('Content-Encoding', encoding);
  res.send(bodies[encoding as Encoding]);
}

/** Of errors; `send` allows it for what is sent. */
const forbidCaching: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

const CONTENT_SECURITY_POLICY = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});
