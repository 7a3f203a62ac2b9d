import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dnsResolver } from '../../../src/security/host-resolver';
import { isPublicAddress } from '../../../src/security/public-address';
import { SafeFetch } from '../../../src/security/safe-fetch';
import { waitFor } from '../../support/stack/wait-for';
import { startDnsServer, type DnsServer } from '../../support/stack/dns-server';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';

const PUBLIC = '93.184.216.34';
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'metadata.test': ['169.254.169.254'],
  'private.test': ['10.1.2.3'],
  'mixed.test': [PUBLIC, '127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
};

let dns: DnsServer;
let port: number;
let connections: number;
let server: Server;
const open: SafeFetch[] = [];

beforeAll(async () => {
  // rebound.test resolves to a public address when it is validated, and to loopback when it is called.
  dns = await startDnsServer((name, before) =>
    name === 'rebound.test' ? [before === 0 ? PUBLIC : '127.0.0.1'] : (NAMES[name] ?? []),
  );
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0);
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  connections = 0;
});
afterAll(async () => {
  dns.close();
  server.close();
  await Promise.all(open.map((client) => client.close()));
});

function client(options: { allowLoopback?: boolean; timeoutMs?: number } = {}): SafeFetch {
  const resolveHost = dnsResolver([dns.address]);
  const fetcher = new SafeFetch({ allowLoopback: false, resolveHost, ...options });
  open.push(fetcher);
  return fetcher;
}

/** Production allows only https; a private address must be refused for every scheme. */
describe('the check of a URL', () => {
  it.each([
    'loopback.test',
    'loopback6.test',
    'metadata.test',
    'private.test',
    'mixed.test',
    'mapped.test',
    'rebound.test',
    'localhost',
    'a.localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '0',
    '169.254.169.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
  ])('never connects to %s', async (host) => {
    const fetcher = client();
    if (host === 'rebound.test') {
      expect(await fetcher.findUrlProblem(`https://${host}/`)).toBeNull();
    } else {
      expect(await fetcher.findUrlProblem(`https://${host}:${port}/`)).toBe('must be a public address');
    }
    await expect(fetcher.post(`https://${host}:${port}/`, {}, '')).rejects.toThrow(
      'the address is not public',
    );
    await expect(fetcher.download(`https://${host}:${port}/`, 1_024)).rejects.toThrow(
      'the address is not public',
    );
    expect(connections).toBe(0);
  });

  it.each([
    ['ftp://example.com/', 'must begin with https://'],
    ['http://example.com/', 'must begin with https://'],
    ['https://user:password@example.com/', 'must not hold a user name or password'],
    ['nonsense', 'must be a URL'],
  ])('rejects %s', async (url, problem) => {
    expect(await client().findUrlProblem(url)).toBe(problem);
    await expect(client().post(url, {}, '')).rejects.toThrow(problem);
    await expect(client().download(url, 1_024)).rejects.toThrow(problem);
  });

  it('accepts a host that does not resolve yet, and fails when it is called', async () => {
    expect(await client().findUrlProblem('https://not-yet.test/')).toBeNull();
    await expect(client().post('https://not-yet.test/', {}, '')).rejects.toThrow(
      'the host name does not resolve',
    );
  });

  it.each([PUBLIC, '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'accepts the public address %s',
    (address) => {
      expect(isPublicAddress(address, { allowLoopback: false })).toBe(true);
    },
  );

  it('allows loopback, but no other private address, in the sandbox', () => {
    const sandbox = { allowLoopback: true };
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].every((ip) => isPublicAddress(ip, sandbox))).toBe(true);
    expect(['10.0.0.1', '169.254.169.254', '::'].some((ip) => isPublicAddress(ip, sandbox))).toBe(false);
  });
});

describe('a POST', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver.close());
  const post = (fetcher = client({ allowLoopback: true })) =>
    fetcher.post(receiver.url, { 'content-type': 'application/json' }, '{"a":1}');

  it('sends the body unchanged and returns the first KiB of the response', async () => {
    receiver.behave(answer(500, { 'retry-after': '7' }, 'x'.repeat(5_000)));
    expect(await post()).toEqual({ statusCode: 500, retryAfter: '7', excerpt: 'x'.repeat(1_024) });
    expect(receiver.received.at(-1)).toMatchObject({ body: '{"a":1}', path: '/hooks' });
  });

  it('does not follow redirects', async () => {
    receiver.behave(answer(302, { location: `http://127.0.0.1:${port}/` }));
    expect(await post()).toMatchObject({ statusCode: 302 });
    expect(connections).toBe(0);
  });

  it('times out without a response', async () => {
    receiver.behave(() => undefined);
    const fetcher = client({ allowLoopback: true, timeoutMs: 200 });
    await expect(post(fetcher)).rejects.toThrow('no answer within 0.2 s');
  });

  it('times out while the receiver drips headers', async () => {
    const dripping = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    }).listen(0, '127.0.0.1');
    await once(dripping, 'listening');
    const fetcher = client({ allowLoopback: true, timeoutMs: 300 });
    const url = `http://127.0.0.1:${(dripping.address() as AddressInfo).port}/`;
    await expect(fetcher.post(url, {}, '')).rejects.toThrow('no answer within 0.3 s');
    dripping.close();
  });

  it('cuts off a dripping body and returns the status', async () => {
    let closed = false;
    receiver.behave((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => {
        closed = true;
        clearInterval(drip);
      });
    });
    const startedAt = Date.now();
    expect(await post()).toMatchObject({ statusCode: 200, excerpt: expect.stringMatching(/^x+$/) });
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    await waitFor(() => closed);
  });

  it('cuts off a body of 100 MB after a few KiB', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(65_536, 'x');
    const ended = new Promise<void>((resolve) => {
      receiver.behave((response) => {
        response.writeHead(200);
        const more = (): void => {
          while (sent < 100 * 1024 * 1024 && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) return void response.once('drain', more);
          }
        };
        response.on('close', resolve);
        more();
      });
    });
    expect(await post()).toMatchObject({ statusCode: 200, excerpt: 'x'.repeat(1_024) });
    await ended;
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  it('sends nothing to a server with an untrusted certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const make = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '1',
    ];
    execFileSync('openssl', [...make, ...subject], { stdio: 'ignore' });
    let requests = 0;
    const tls = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_req, res) => {
      requests += 1;
      res.end();
    }).listen(0, '127.0.0.1');
    await once(tls, 'listening');
    const url = `https://localhost:${(tls.address() as AddressInfo).port}/`;
    await expect(client({ allowLoopback: true }).post(url, {}, '')).rejects.toThrow('the connection failed');
    expect(requests).toBe(0);
    tls.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a download', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver.close());
  const download = (fetcher = client({ allowLoopback: true })) => fetcher.download(receiver.url, 2_048);

  it('returns the whole body up to the size limit and rejects a larger one', async () => {
    receiver.behave(answer(200, {}, 'x'.repeat(2_048)));
    expect((await download()).toString()).toBe('x'.repeat(2_048));
    receiver.behave(answer(200, {}, 'x'.repeat(2_049)));
    await expect(download()).rejects.toThrow('the response is larger than 2 KiB');
  });

  it('rejects every status but 200 and follows no redirect', async () => {
    for (const status of [204, 404, 500]) {
      receiver.behave(answer(status));
      await expect(download()).rejects.toThrow(`the response status was ${status}`);
    }
    receiver.behave(answer(302, { location: `http://127.0.0.1:${port}/` }));
    await expect(download()).rejects.toThrow('the response status was 302');
    expect(connections).toBe(0);
  });

  it('times out while the body drips, and closes the connection', async () => {
    let closed = false;
    receiver.behave((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => {
        closed = true;
        clearInterval(drip);
      });
    });
    await expect(download(client({ allowLoopback: true, timeoutMs: 300 }))).rejects.toThrow(
      'no answer within 0.3 s',
    );
    await waitFor(() => closed);
  });

  it('rejects an incomplete body', async () => {
    receiver.behave((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x');
      setImmediate(() => response.destroy());
    });
    await expect(download()).rejects.toThrow('the connection failed');
  });
});
