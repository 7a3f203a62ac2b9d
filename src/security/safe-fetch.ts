import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, request as undiciRequest, type Dispatcher } from 'undici';
import { dnsResolver, type ResolveHost } from './host-resolver';
import { isPublicAddress } from './public-address';

export interface SafeFetchOptions {
  /** True in the sandbox, where receivers run on the developer's machine without TLS. */
  readonly allowLoopback: boolean;
  readonly resolveHost?: ResolveHost;
  /** Timeout of the whole exchange. */
  readonly timeoutMs?: number;
}

export interface SafeResponse {
  readonly statusCode: number;
  readonly retryAfter: string | null;
  /** The first bytes of the body. */
  readonly excerpt: string;
}

/** The request got no response, or not a usable one. The message contains nothing of the request. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
}

class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const EXCERPT_BYTES = 1_024;
/** Bodies up to this size are read completely, so that the connection can be reused; longer ones are cut off. */
const MAX_BODY_BYTES = 16_384;
/** The body matters little, so a slow one is cut off soon. */
const BODY_TIMEOUT_MS = 1_000;
/** Shorter than the idle timeout of common servers: requests rarely hit a connection that was just closed. */
const KEEP_ALIVE_MS = 1_000;

/**
 * The HTTP client for all customer-supplied URLs. It checks the resolved address when it connects, which prevents DNS
 * rebinding; it follows no redirects, verifies TLS certificates, and limits time and size.
 */
export class SafeFetch {
  private readonly agent: Agent;
  private readonly resolveHost: ResolveHost;
  private readonly timeoutMs: number;

  constructor(private readonly options: SafeFetchOptions) {
    this.resolveHost = options.resolveHost ?? dnsResolver();
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.agent = new Agent({
      connect: this.connector(),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      pipelining: 1,
    });
  }

  /** @throws RequestFailed if the address is blocked or no status arrives before the timeout */
  async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<SafeResponse> {
    return this.exchange(url, { method: 'POST', headers, body }, async (response) => {
      const retryAfter = response.headers['retry-after'];
      return {
        statusCode: response.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        excerpt: await readExcerpt(response.body),
      };
    });
  }

  /**
   * Downloads a body.
   *
   * @throws RequestFailed as `post`; also if the status is not 200 or the body exceeds `maxBytes`
   */
  async download(url: string, maxBytes: number): Promise<Buffer> {
    return this.exchange(url, { method: 'GET' }, async ({ statusCode, body }) => {
      if (statusCode === 200) return readWhole(body, maxBytes);
      // destroy() emits an error; without a listener it would end the process.
      body.on('error', () => undefined).destroy();
      throw new RequestFailed(`the response status was ${statusCode}`);
    });
  }

  /** Why a URL is not allowed, as text for its owner; null if it is. A host that does not resolve yet is allowed. */
  async findUrlProblem(url: string): Promise<string | null> {
    const problem = this.findSchemeProblem(url);
    if (problem !== null) return problem;
    const host = bareHost(new URL(url).hostname);
    const addresses = isIP(host) === 0 ? await this.resolveHost(host).catch(() => []) : [host];
    return addresses.every((address) => this.isAllowed(address)) ? null : 'must be a public address';
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  private async exchange<T>(
    url: string,
    request: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
    read: (response: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> {
    const problem = this.findSchemeProblem(url);
    if (problem !== null) throw new RequestFailed(problem);
    const deadline = AbortSignal.timeout(this.timeoutMs);
    try {
      return await read(await undiciRequest(url, { ...request, dispatcher: this.agent, signal: deadline }));
    } catch (error) {
      if (error instanceof RequestFailed) throw error;
      throw new RequestFailed(
        deadline.aborted ? `no answer within ${this.timeoutMs / 1_000} s` : describe(error),
      );
    }
  }

  private findSchemeProblem(url: string): string | null {
    if (!URL.canParse(url)) return 'must be a URL';
    const { protocol, username, password } = new URL(url);
    if (protocol !== 'https:' && !(protocol === 'http:' && this.options.allowLoopback))
      return 'must begin with https://';
    return username === '' && password === '' ? null : 'must not hold a user name or password';
  }

  private isAllowed(address: string): boolean {
    return isPublicAddress(address, this.options);
  }

  private connector(): buildConnector.connector {
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: this.lookup });
    return (options, callback) => {
      // Node skips the lookup for an IP address, so the check happens here.
      const host = bareHost(options.hostname);
      if (isIP(host) !== 0 && !this.isAllowed(host)) {
        callback(new BlockedAddress(), null);
        return;
      }
      connect(options, callback);
    };
  }

  /** Node connects only to the addresses returned here. If one of them is not allowed, all are rejected. */
  private readonly lookup: LookupFunction = (hostname, { all }, callback) => {
    this.resolveHost(hostname).then(
      (addresses) => {
        if (!addresses.every((address) => this.isAllowed(address))) callback(new BlockedAddress(), '');
        else if (all === true)
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        else callback(null, addresses[0] ?? '', isIP(addresses[0] ?? ''));
      },
      () => callback(Object.assign(new Error('the host name does not resolve'), { code: 'ENOTFOUND' }), ''),
    );
  };
}

/** Strips the brackets of an IPv6 address. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Never throws: the status has arrived, so the body may be incomplete. */
async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  const timeout = setTimeout(() => body.destroy(), BODY_TIMEOUT_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < EXCERPT_BYTES) kept.push(chunk.subarray(0, EXCERPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) break;
    }
  } catch {
    // The bytes read so far are enough.
  } finally {
    clearTimeout(timeout);
  }
  return Buffer.concat(kept).toString('utf8');
}

async function readWhole(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Throwing inside the loop closes the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new RequestFailed(`the response is larger than ${maxBytes / 1_024} KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Uses only the error codes of Node and undici: messages could repeat the request. */
function describe(error: unknown): string {
  if (error instanceof BlockedAddress) return 'the address is not public';
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  if (code === 'ENOTFOUND') return 'the host name does not resolve';
  return `the connection failed (${code})`;
}
