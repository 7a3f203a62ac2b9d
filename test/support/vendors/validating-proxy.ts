import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '../../../src/dev/ports';

export interface ProxiedApi {
  /** The vendor's OpenAPI document. */
  readonly document: unknown;
  /** The address in front of which the proxy stands. */
  readonly upstream: string;
  /** What the addresses of requests have before the document's paths, for example `/v72`. */
  readonly prefix?: string;
}

const VIOLATION = /Violation: (.*)$/;

/**
 * Prism between a driver and its vendor's fake. It passes everything on and notes which requests and answers break the vendor's
 * document; a status that the document does not name breaks it too. Starting it costs about two seconds of CPU, so a file of
 * tests starts one.
 */
export class ValidatingProxy {
  private readonly found: string[] = [];
  private readonly output: Interface;
  private flushes = 0;

  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
    stdout: Readable,
  ) {
    this.output = createInterface({ input: stdout });
    this.output.on('line', (line) => {
      const violation = VIOLATION.exec(stripVTControlCharacters(line))?.[1];
      if (violation !== undefined) this.found.push(violation);
    });
  }

  static async start({ document, upstream, prefix = '' }: ProxiedApi): Promise<ValidatingProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'validating-proxy-'));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(prefixed(document, prefix)));
    const port = await freePort();
    const child = spawn(
      process.execPath,
      [
        ...[require.resolve('@stoplight/prism-cli'), 'proxy', file, upstream],
        ...['--host', '127.0.0.1', '--port', String(port)],
      ],
      { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, NODE_OPTIONS: '' } },
    );
    const proxy = new ValidatingProxy(`http://127.0.0.1:${port}`, child, folder, child.stdout);
    await proxy.printed(/Prism is listening on/);
    return proxy;
  }

  /** What broke the document since the last call, on either side. */
  async violations(): Promise<string[]> {
    // Prism prints in the order of the requests, a little after it has answered them. This one breaks every document, for want of a route.
    this.flushes += 1;
    const path = `/no/document/has/this/path/flush-${this.flushes}`;
    const flushed = this.printed(new RegExp(`${path}\\b`), VIOLATION);
    await fetch(`${this.url}${path}`);
    await flushed;
    return this.found.splice(0).slice(0, -1);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit');
      this.process.kill();
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Resolves when lines of these forms have come, one after the other. */
  private printed(...patterns: RegExp[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.process.once('exit', () => reject(new Error('the validating proxy ended')));
      const onLine = (line: string): void => {
        if (patterns[0]?.test(stripVTControlCharacters(line)) === true) patterns.shift();
        if (patterns.length > 0) return;
        this.output.off('line', onLine);
        resolve();
      };
      this.output.on('line', onLine);
    });
  }
}

function prefixed(document: unknown, prefix: string): object {
  const { paths, ...rest } = document as { readonly paths: Readonly<Record<string, unknown>> };
  const named = Object.entries(paths).map(([path, item]) => [`${prefix}${path}`, item]);
  return { ...rest, paths: Object.fromEntries(named) as object };
}
