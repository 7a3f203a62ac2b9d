import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, request as undiciRequest, type Dispatcher } from 'undici';
import { dnsResolver, type ResolveHost } from './host-resolver';
import { isPublicAddress } from './public-address';

export interface SafeFetchOptions {
  /** The sandbox's receivers run on the developer's own machine, and without TLS. */
  readonly allowLoopback: boolean;
  readonly resolveHost?: ResolveHost;
  /** The whole exchange. */
  readonly timeoutMs?: number;
}

export interface SafeAnswer {
  readonly statusCode: number;
  readonly retryAfter: string | null;
  /** The beginning of the body. */
  readonly excerpt: string;
}

/** No answer came, or not the one that was needed. The message says why and holds nothing of the request. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
}

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const EXCERPT_BYTES = 1_024;
/** A body that is no longer is read to its end, so that the connection can serve again; a longer one is cut off. */
const MAX_BODY_BYTES = 16_384;
/** What is in the body is of no great interest: one that drips is not waited for. */
const BODY_TIMEOUT_MS = 1_000;
/** Shorter than any server's idle limit, so that a request rarely meets a connection that was just closed. */
const KEEP_ALIVE_MS = 1_000;

/**
 * The one client for URLs that customers give. Where a name leads is looked at when the connection is made, whatever it
 * led to before; no redirect is followed; TLS certificates are verified; time and bytes are bounded.
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

  /** @throws NoAnswer when the address is refused, or no status came within the time */
  async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<SafeAnswer> {
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
   * What is at an address, whole and as it is.
   *
   * @throws NoAnswer as `post`; also when it is not there, or has more bytes
   */
  async download(url: string, maxBytes: number): Promise<Buffer> {
    return this.exchange(url, { method: 'GET' }, async ({ statusCode, body }) => {
      if (statusCode === 200) return readWhole(body, maxBytes);
      // That it was destroyed is an error of its own, which nobody would hear.
      body.on('error', () => undefined).destroy();
      throw new NoAnswer(`the answer was ${statusCode}`);
    });
  }

  /** Why a URL can never be called, in words for its owner; null when it may be. A name that leads nowhere yet may. */
  async problemWith(url: string): Promise<string | null> {
    const problem = this.schemeProblem(url);
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
    const problem = this.schemeProblem(url);
    if (problem !== null) throw new NoAnswer(problem);
    const deadline = AbortSignal.timeout(this.timeoutMs);
    try {
      return await read(await undiciRequest(url, { ...request, dispatcher: this.agent, signal: deadline }));
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      throw new NoAnswer(deadline.aborted ? `no answer within ${this.timeoutMs / 1_000} s` : describe(error));
    }
  }

  private schemeProblem(url: string): string | null {
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
      // An address is connected to without being looked up.
      const host = bareHost(options.hostname);
      if (isIP(host) !== 0 && !this.isAllowed(host)) {
        callback(new RefusedAddress(), null);
        return;
      }
      connect(options, callback);
    };
  }

  /** Node connects to nothing but what this has answered. One forbidden address among others is a trick: all are refused. */
  private readonly lookup: LookupFunction = (hostname, { all }, callback) => {
    this.resolveHost(hostname).then(
      (addresses) => {
        if (!addresses.every((address) => this.isAllowed(address))) callback(new RefusedAddress(), '');
        else if (all === true)
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        else callback(null, addresses[0] ?? '', isIP(addresses[0] ?? ''));
      },
      () => callback(Object.assign(new Error('the name leads nowhere'), { code: 'ENOTFOUND' }), ''),
    );
  };
}

/** Of an IPv6 address, without the brackets. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The status has come, so whatever becomes of the body changes nothing. */
async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  const enough = setTimeout(() => body.destroy(), BODY_TIMEOUT_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < EXCERPT_BYTES) kept.push(chunk.subarray(0, EXCERPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) break;
    }
  } catch {
    // Cut off: what there is will do.
  } finally {
    clearTimeout(enough);
  }
  return Buffer.concat(kept).toString('utf8');
}

async function readWhole(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new NoAnswer(`the answer has more than ${maxBytes / 1_024} KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Node's and undici's error codes say what happened without repeating the request. */
function describe(error: unknown): string {
  if (error instanceof RefusedAddress) return 'the address is not public';
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  if (code === 'ENOTFOUND') return 'the name leads nowhere';
  return `the connection failed (${code})`;
}
