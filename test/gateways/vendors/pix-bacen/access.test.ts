import { request } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { CertificateProxy } from '../../../support/vendors/certificate-proxy';
import { newCertificate } from '../../../support/vendors/certificates';
import type { ClientCertificate } from '../../../../src/gateways/http';
import { PixBench, PixCharge } from './bench';

let bench: PixBench;
beforeAll(async () => {
  bench = await PixBench.start();
});
afterAll(() => bench.stop());

const newCharge = () => new PixCharge(bench);

describe('the token host of the Pix API', () => {
  it('gives a token for client id and secret, by form or JSON', async () => {
    expect(await bench.authorize()).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 3_600, scope: 'cob.write cob.read pix.write pix.read' },
    });
    const response = await fetch(`${bench.url}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from('client:secret').toString('base64')}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ grant_type: 'client_credentials' }),
    });
    expect(response.status).toBe(200);
  });

  it.each([
    ['a wrong secret', 'sk_invalid_bench', {}, 401, 'invalid_client'],
    ['another grant', 'secret', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['an unknown scope', 'secret', { scope: 'boletos.write' }, 400, 'invalid_scope'],
  ])('refuses %s', async (_, secret, fields, status, error) => {
    expect(await bench.authorize(secret, fields)).toMatchObject({ status, body: { error } });
  });

  it('is asked for another token when one is unknown, revoked or lacks the scope', async () => {
    expect(await newCharge().put({}, { token: 'unknown' })).toMatchObject({ status: 401 });
    const reader = (await bench.authorize('secret', { scope: 'cob.read' })).body.access_token;
    expect(await newCharge().put({}, { token: reader })).toMatchObject({
      status: 403,
      body: { type: 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado' },
    });
    const revoked = (await bench.authorize('secret_to_revoke')).body.access_token;
    await bench.control.setUpAccount('secret_to_revoke', { revoked: true });
    expect(await newCharge().put({}, { token: revoked })).toMatchObject({ status: 401 });
  });

  it('shows the charges of one account to no other', async () => {
    await bench.control.setUpAccount('secret_of_one', { account: 'one' });
    await bench.control.setUpAccount('secret_of_two', { account: 'two' });
    const [one = '', two = ''] = await Promise.all(
      ['secret_of_one', 'secret_of_two'].map(
        async (secret) => (await bench.authorize(secret)).body.access_token,
      ),
    );
    const charge = newCharge();
    await charge.put({}, { token: one });
    expect((await charge.show({ token: one })).status).toBe(200);
    expect((await charge.show({ token: two })).status).toBe(404);
  });
});

describe('a client certificate', () => {
  const [own, other, foreign] = ['loja', 'outra-loja', 'ninguem'].map(newCertificate) as [
    ClientCertificate,
    ClientCertificate,
    ClientCertificate,
  ];
  let proxy: CertificateProxy;
  beforeAll(async () => {
    proxy = await CertificateProxy.start(new URL(bench.url).origin, [own, other]);
  });
  afterAll(() => proxy.stop());

  async function send(
    method: string,
    path: string,
    { certificate, privateKey }: ClientCertificate,
    headers: Record<string, string>,
    body = '',
  ): Promise<{ status: number; text: string }> {
    const url = `${proxy.url}${new URL(bench.url).pathname}/${path}`;
    const identity = { cert: certificate, key: privateKey, ca: proxy.own.certificate, agent: false } as const;
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, ...identity }, (response) => {
        void textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
      });
      sent.once('error', reject).end(body);
    });
  }

  it('must be trusted, and is bound to the token that was given for it', async () => {
    const basic = { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` };
    const grant = 'grant_type=client_credentials';
    await expect(send('POST', 'oauth/token', foreign, basic, grant)).rejects.toThrow();
    const { text } = await send('POST', 'oauth/token', own, basic, grant);
    const { access_token } = JSON.parse(text) as { access_token: string };
    const bearer = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const charge = newCharge();
    const body = JSON.stringify(charge.request());
    expect((await send('PUT', `cob/${charge.txid}`, other, bearer, body)).status).toBe(401);
    expect((await send('PUT', `cob/${charge.txid}`, own, bearer, body)).status).toBe(201);
    expect((await charge.put({}, { token: access_token })).status).toBe(401);
  });
});

describe('scripts at the fake of the Pix API', () => {
  it('lose the answer before or after the commit, and an inquiry by the txid shows which', async () => {
    for (const [drop, status] of [
      ['before', 404],
      ['after', 200],
    ] as const) {
      const charge = newCharge();
      await bench.control.script({ transaction_id: charge.transactionId }, { drop });
      await expect(charge.put()).rejects.toThrow();
      expect((await charge.show()).status).toBe(status);
    }
  });

  it.each([400, 403, 404, 429, 500, 503, 504])(
    'answer with a problem of RFC 7807 for status %d and commit nothing',
    async (status) => {
      const charge = newCharge();
      await bench.control.script({ transaction_id: charge.transactionId }, { status });
      expect(await charge.put()).toMatchObject({
        status,
        type: 'application/problem+json',
        body: { status, title: expect.any(String) as string },
      });
      expect((await charge.show()).status).toBe(404);
    },
  );

  it('take pix from an account, let the bank remove a charge, and show another charge', async () => {
    const charge = newCharge();
    const match = { transaction_id: charge.transactionId };
    await bench.control.script(match, { lacks: 'pix' });
    expect((await charge.put()).status).toBe(403);
    const removed = newCharge();
    await bench.control.script({ transaction_id: removed.transactionId }, { decline_class: 'hard' });
    expect((await removed.put()).body.status).toBe('REMOVIDA_PELO_PSP');
    await bench.control.script(match, { duplicate_id: true });
    expect((await charge.put()).body.txid).toBe(removed.txid);
    expect((await charge.show()).body.txid).toBe(charge.txid);
  });

  it('put the API out of service, and name unknown addresses', async () => {
    await bench.control.startOutage('gateway_6', '503', 60);
    const token = 'any';
    expect((await newCharge().put({}, { token })).status).toBe(503);
    await bench.control.endOutages();
    expect(await bench.get('cobv')).toMatchObject({ status: 404, type: 'application/problem+json' });
  });
});

it('the fake of the Pix API stores no debtor', async () => {
  await newCharge().put();
  expect(bench.dataOnDisk()).not.toMatch(/Tony|Stark|52998224725/);
});
