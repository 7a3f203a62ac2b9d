import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../domain/shared/errors';
import { errorBody } from './error-handler';
import { newRequestId } from './request-context';

/** Longer than the idle timeout of common load balancers (60 s), so that they never reuse a closing connection. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for connections past these limits. Its default of 30 s would let slow headers take 40 s. */
const CHECK_INTERVAL_MS = 1_000;

/** How long a client may take to send a request. */
interface RequestTimeouts {
  readonly headersMs: number;
  /** The whole request, the body included. */
  readonly requestMs: number;
}

const TIMEOUTS: RequestTimeouts = { headersMs: HEADERS_TIMEOUT_MS, requestMs: REQUEST_TIMEOUT_MS };

/** An HTTP server that answers in the API's error shape even if a request is not valid HTTP. It does not listen yet. */
export function createHttpServer(app: RequestListener, timeouts: RequestTimeouts = TIMEOUTS): Server {
  const server = createServer(
    {
      // Node would answer a missing Host itself, without a body.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    app,
  );
  server.on('checkExpectation', app);
  server.on('clientError', answerUnreadable);
  return server;
}

/** Stops accepting connections, lets requests in flight finish for `graceMs`, then closes the remaining connections. */
export async function closeHttpServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  // Keep-alive connections become idle as their requests finish.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(deadline);
}

function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const apiError = new ApiError('malformed_request', reasonOf(error));
  const body = JSON.stringify(errorBody(apiError, requestId));
  const head = [
    `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The headers are too long.';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request took too long to arrive.';
  return 'The request is not valid HTTP.';
}
