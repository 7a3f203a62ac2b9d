import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../domain/shared/errors';
import { errorBody } from './error-handler';
import { newRequestId } from './request-context';

/** Longer than the idle time of common load balancers (60 s), so that they never reuse a connection being closed. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 30_000;

/** An HTTP server whose every answer is in the API's shape, even to what is not HTTP at all. It does not listen yet. */
export function createHttpServer(app: RequestListener): Server {
  const server = createServer(
    {
      // Node would answer a missing Host by itself, without a body.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
    },
    app,
  );
  server.on('checkExpectation', app);
  server.on('clientError', answerUnreadable);
  return server;
}

/** Stops accepting, lets requests in flight finish for `graceMs`, then closes what is left. */
export async function closeHttpServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  // A connection whose request has just been answered would otherwise stay open for the next one.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const reason =
    error.code === 'HPE_HEADER_OVERFLOW' ? 'The headers are too long.' : 'The request is not valid HTTP.';
  const body = JSON.stringify(errorBody(new ApiError('malformed_request', reason), requestId));
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
