import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Agent, DecoratorHandler, request as undiciRequest, type Dispatcher } from 'undici';
import { AccountQuotas } from './account-quotas';
import { GatewayAccessTokens } from './gateway-access-tokens';
import { GatewayError, NOT_SENT_LOCALLY } from './errors';

export interface GatewayHttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** In place of the body: what is no text, such as a form with a file. */
  readonly bytes?: Buffer;
  /**
   * Epoch ms; a request that has not started by then is not sent. Null for reads, and for the requests of a charge before the
   * one that moves money: they have no send window.
   */
  readonly sendBefore: number | null;
}

export interface GatewayHttpResponse {
  readonly status: number;
  /** By names in lower case. Of a header that is sent several times, the values joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Keeps the answer's shape for support: call it once the answer turns out to fit no known one. Set in calls for a company. */
  readonly noteUnrecognized?: () => void;
}

/** Identifies this service to a gateway during the TLS handshake. Both are PEM texts. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** The requests of one call to a driver. Together they take no longer than the call may. */
export interface GatewayCall {
  /** @throws GatewayError `not_sent` or `ambiguous` */
  send(request: GatewayHttpRequest): Promise<GatewayHttpResponse>;
}

export interface GatewayCallOptions {
  /** Of the whole call, in ms, from its first request on. */
  readonly timeoutMs: number;
  /** Null if the gateway asks for none. */
  readonly clientCertificate: ClientCertificate | null;
}

/** Longer answers count as unreadable, so the outcome is unknown. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 2_000;
/** Companies whose connections with a certificate are kept open. */
const MAX_CERTIFICATES = 200;
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
  private readonly agents = new LRUCache<string, Agent>({
    max: MAX_CERTIFICATES,
    // Requests in progress end first.
    dispose: (agent) => void agent.close(),
  });
  private readonly agent = newAgent(null);
  readonly accessTokens = new GatewayAccessTokens();
  readonly accountQuotas = new AccountQuotas();

  call({ timeoutMs, clientCertificate }: GatewayCallOptions): GatewayCall {
    let signal: AbortSignal | null = null;
    return {
      send: async (request) => {
        signal ??= AbortSignal.timeout(timeoutMs);
        return this.send(request, this.agentFor(clientCertificate), signal);
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.agent, ...this.agents.values()].map(async (agent) => agent.close()));
  }

  private async send(
    request: GatewayHttpRequest,
    agent: Agent,
    signal: AbortSignal,
  ): Promise<GatewayHttpResponse> {
    let started = false;
    const dispatcher = agent.compose(
      (dispatch) => (options, handler) =>
        dispatch(options, new SendWindow(handler, request.sendBefore, () => (started = true))),
    );
    try {
      const { method, headers, bytes = null, body = bytes } = request;
      const response = await undiciRequest(request.url, { method, headers, body, dispatcher, signal });
      return {
        status: response.statusCode,
        headers: singleValues(response.headers),
        text: await response.body.text(),
      };
    } catch (error) {
      const code = error instanceof SendWindowPassed ? NOT_SENT_LOCALLY : null;
      throw new GatewayError(started ? 'ambiguous' : 'not_sent', describe(error, started), code);
    }
  }

  /** Connections with different certificates are never shared: a certificate is an identity. */
  private agentFor(certificate: ClientCertificate | null): Agent {
    if (certificate === null) return this.agent;
    const key = createHash('sha256').update(JSON.stringify(certificate)).digest('hex');
    const known = this.agents.get(key);
    if (known !== undefined) return known;
    const agent = newAgent(certificate);
    this.agents.set(key, agent);
    return agent;
  }
}

function newAgent(certificate: ClientCertificate | null): Agent {
  return new Agent({
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      ...(certificate !== null && { cert: certificate.certificate, key: certificate.privateKey }),
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    pipelining: 1,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
}

function singleValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
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
