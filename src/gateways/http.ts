import { Agent, DecoratorHandler, request as undiciRequest, type Dispatcher } from 'undici';
import { GatewayError, NOT_SENT_LOCALLY } from './errors';

export interface GatewayHttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Epoch ms; a request that has not started by then is not sent. Null for reads, which have no send window. */
  readonly sendBefore: number | null;
  /** Timeout of the whole exchange, in ms. */
  readonly timeoutMs: number;
}

export interface GatewayHttpResponse {
  readonly status: number;
  readonly text: string;
}

/** Longer answers count as unreadable, so the outcome is unknown. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than the idle timeout of common servers: requests rarely hit a connection that the gateway has just closed. */
const KEEP_ALIVE_MS = 3_000;

class SendWindowPassed extends Error {}

/** Aborts a request whose send window has passed and reports when one starts. */
class SendWindow extends DecoratorHandler {
  constructor(
    private readonly inner: Dispatcher.DispatchHandler,
    private readonly sendBefore: number | null,
    private readonly onStart: () => void,
  ) {
    super(inner);
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    if (this.sendBefore !== null && Date.now() > this.sendBefore) {
      controller.abort(new SendWindowPassed('the send window had passed'));
      return;
    }
    this.onStart();
    this.inner.onRequestStart?.(controller, context);
  }
}

/**
 * HTTP client for gateways. It tracks whether any byte of the request was sent: undici calls `onRequestStart` once a
 * connection is established and just before it writes the request. A failure before that is `not_sent`, any failure
 * after it is `ambiguous`. It never retries and never follows redirects.
 */
export class GatewayHttp {
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    pipelining: 1,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });

  async send(request: GatewayHttpRequest): Promise<GatewayHttpResponse> {
    let started = false;
    const dispatcher = this.agent.compose(
      (dispatch) => (options, handler) =>
        dispatch(options, new SendWindow(handler, request.sendBefore, () => (started = true))),
    );
    try {
      const response = await undiciRequest(request.url, {
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        dispatcher,
        signal: AbortSignal.timeout(request.timeoutMs),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      const code = error instanceof SendWindowPassed ? NOT_SENT_LOCALLY : null;
      throw new GatewayError(started ? 'ambiguous' : 'not_sent', describe(error, started), code);
    }
  }

  async close(): Promise<void> {
    await this.agent.close();
  }
}

/** Uses only the error codes of Node and undici: messages could repeat the request. */
function describe(error: unknown, started: boolean): string {
  if (error instanceof SendWindowPassed) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const name = error instanceof Error ? error.name : 'unknown error';
  return started
    ? `the gateway answer was incomplete (${name}, ${code})`
    : `the gateway could not be reached (${name}, ${code})`;
}
