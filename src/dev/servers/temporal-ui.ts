import {
  createServer,
  request,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';

const HOST = '127.0.0.1';
const SETTINGS_PATH = '/api/v1/settings';

/** What a page asks a running workflow, for example for its stack trace, is sent as a POST. */
const QUERY_PATH = /^\/api\/v1\/namespaces\/[^?]+\/query\//;

interface ReadOnlyUiOptions {
  /** On which support staff open it. */
  readonly port: number;
  /** On which Temporal's development server serves it. That server has no option to turn write actions off. */
  readonly servedPort: number;
}

/**
 * Serves Temporal's UI without its write actions, as in production: starting, signaling, canceling or terminating a workflow by hand
 * would bypass the records of its payment. Returns the function that stops it.
 */
export async function serveReadOnlyUi({ port, servedPort }: ReadOnlyUiOptions): Promise<() => Promise<void>> {
  const server = createServer((req, res) => {
    if (!isRead(req)) {
      res.writeHead(405, { 'content-type': 'text/plain' }).end('the Temporal UI is read-only');
      return;
    }
    const { method, url: path, headers } = req;
    const target = { host: HOST, port: servedPort, path, method, headers };
    if (pathOf(req) === SETTINGS_PATH) answerSettings(target, req, res);
    else pass(target, req, res);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, HOST, resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? '';

function isRead(req: IncomingMessage): boolean {
  return (
    req.method === 'GET' || req.method === 'HEAD' || (req.method === 'POST' && QUERY_PATH.test(pathOf(req)))
  );
}

function pass(target: RequestOptions, req: IncomingMessage, res: ServerResponse): void {
  const served = request(target, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  served.once('error', () => unavailable(res));
  res.once('close', () => served.destroy());
  req.pipe(served);
}

/** The pages disable their buttons by this setting. The answer's cookie lets them send queries. */
function answerSettings(
  { port, path }: RequestOptions,
  { headers }: IncomingMessage,
  res: ServerResponse,
): void {
  fetch(`http://${HOST}:${port}${path}`, { headers: { cookie: headers.cookie ?? '' } })
    .then(async (answer) => {
      const settings = (await answer.json()) as object;
      res.setHeader('set-cookie', answer.headers.getSetCookie());
      res.writeHead(answer.status, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ ...settings, DisableWriteActions: true }));
    })
    .catch(() => unavailable(res));
}

/** Also while the server starts again. */
function unavailable(res: ServerResponse): void {
  if (res.headersSent) res.destroy();
  else res.writeHead(502, { 'content-type': 'text/plain' }).end('Temporal does not answer');
}
