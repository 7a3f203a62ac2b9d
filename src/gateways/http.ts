import { Agent, DecoratorHandler, request as undiciRequest, type Dispatcher } from 'undici';
import { GatewayError, NOT_SENT_LOCALLY } from './errors';

export interface GatewayHttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Epoch ms: if the first byte could only leave later, nothing is sent. Null for reads, which may go at any time. */
  readonly sendBefore: number | null;
  /** The whole exchange, in ms. */
  readonly timeoutMs: number;
}

export interface GatewayHttpResponse {
  readonly status: number;
  readonly text: string;
}

/** No gateway answer is longer; a longer one is unreadable, so its outcome is unknown. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than any server's idle limit, so that a request rarely meets a connection the gateway has just closed. */
const KEEP_ALIVE_MS = 3_000;

class TooLate extends Error {}

/** Stops a request that could only leave too late, and tells when one begins to leave. */
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
      controller.abort(new TooLate('the send window had passed'));
      return;
    }
    this.onStart();
    this.inner.onRequestStart?.(controller, context);
  }
}

/**
 * HTTP towards gateways. What matters here is one bit: did any byte of the request leave?
 * Undici tells by `onRequestStart`, called once a connection stands and just before the request is written;
 * a failure before it is `not_sent`, any failure after it is `ambiguous`. Nothing is retried or redirected.
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
      const code = error instanceof TooLate ? NOT_SENT_LOCALLY : null;
      throw new GatewayError(started ? 'ambiguous' : 'not_sent', describe(error, started), code);
    }
  }

  async close(): Promise<void> {
    await this.agent.close();
  }
}

/** Node's and undici's error codes say what happened without repeating the request. */
function describe(error: unknown, started: boolean): string {
  if (error instanceof TooLate) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  const name = error instanceof Error ? error.name : 'unknown error';
  return started
    ? `the gateway gave no whole answer (${name}, ${code})`
    : `the gateway was not reached (${name}, ${code})`;
}
