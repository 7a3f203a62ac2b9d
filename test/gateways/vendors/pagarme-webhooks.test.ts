import { createPublicKey, generateKeyPairSync, type JsonWebKey, verify } from 'node:crypto';
import { signatureOf } from '../../../src/simulator/vendors/pagarme/signature';
import { describeWithOracle } from '../../support/vendors/oracles';
import {
  CARDS,
  chargeOf,
  PagarmeBench,
  PagarmePayment,
  PIX,
  type ReceivedWebhook,
  WEBHOOK_SECRET,
} from './pagarme-bench';

let bench: PagarmeBench;
beforeAll(async () => {
  bench = await PagarmeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new PagarmePayment(bench);

type Keys = readonly (JsonWebKey & { kid: string })[];
const publishedKeys = async (): Promise<Keys> => {
  // The sandbox gives each endpoint of a driver a folder of its own.
  const response = await fetch(bench.urlOf('keys/.well-known/jwks.json'));
  return ((await response.json()) as { keys: Keys }).keys;
};

/** What Pagar.me's payment module checks: RS256, a published key, the signature over the body. */
function isSigned(body: Buffer | string, header: string, keys: Keys): boolean {
  const parts = Object.fromEntries(
    header.split(';').map((part) => part.trim().split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  const jwk = keys.find(({ kid }) => kid === parts.kid);
  if (parts.alg !== 'RS256' || jwk === undefined) return false;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify('RSA-SHA256', Buffer.from(body), key, Buffer.from(parts.signature ?? '', 'base64url'));
}

const headerOf = ({ headers }: ReceivedWebhook) => String(headers['x-webhook-asymmetric-signature']);

describe('a webhook of the fake of Pagar.me', () => {
  it('is signed with a published key and has the password of the webhook', async () => {
    const payment = newPayment();
    await payment.pay();
    const [webhook] = await bench.webhooks('charge.paid', payment.code);
    if (webhook === undefined) throw new Error('no webhook');
    expect(isSigned(webhook.body, headerOf(webhook), await publishedKeys())).toBe(true);
    const basic = `Basic ${Buffer.from(WEBHOOK_SECRET).toString('base64')}`;
    expect(webhook.headers.authorization).toBe(basic);
    expect(webhook.event).toMatchObject({
      id: expect.stringMatching(/^hook_/) as string,
      account: { id: expect.stringMatching(/^acc_/) as string },
      data: { code: payment.code, status: 'paid', order: { code: payment.code, status: 'paid' } },
    });
    const [order] = await bench.webhooks('order.paid', payment.code);
    expect(order?.event.data).toMatchObject({ status: 'paid', charges: [{ status: 'paid' }] });
  });

  it('is forged with a wrong key that claims to be the published one, and a wrong password', async () => {
    const payment = newPayment();
    await payment.create(PIX);
    await bench.webhooks('charge.pending', payment.code);
    await bench.control.sendCallbacks(payment.transactionId, { forge: true });
    const [right, forged] = await bench.webhooks('charge.pending', payment.code, 2);
    if (right === undefined || forged === undefined) throw new Error('no webhook');
    const keys = await publishedKeys();
    expect(isSigned(right.body, headerOf(right), keys)).toBe(true);
    expect(headerOf(forged)).toContain(`kid=${keys[0]?.kid}`);
    expect(isSigned(forged.body, headerOf(forged), keys)).toBe(false);
    expect(forged.headers.authorization).not.toBe(right.headers.authorization);
  });

  it('comes twice with one id, before the answer, and never, as scripts say', async () => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { callback_first: true });
    await payment.pay();
    const [first] = bench.received.filter(({ event }) => event.data.code === payment.code);
    expect(first?.event.type).toBe('charge.paid');
    await bench.control.sendCallbacks(payment.transactionId, { times: 2, delay_ms: 50 });
    const paid = await bench.webhooks('charge.paid', payment.code, 3);
    expect(new Set(paid.map(({ event }) => event.id)).size).toBe(2);
    const silent = newPayment();
    await bench.control.script({ transaction_id: silent.transactionId }, { callback: false });
    await silent.pay();
    expect(await bench.control.callbacks(silent.transactionId)).toEqual([]);
  });

  it.each([
    ['charge.payment_failed', 'failed', (payment: PagarmePayment) => payment.pay(CARDS.declined)],
    ['charge.antifraud_reproved', 'failed', (payment: PagarmePayment) => payment.pay(CARDS.fraud)],
    ['charge.pending', 'pending', (payment: PagarmePayment) => payment.authorize()],
  ] as const)('%s says that a charge is %s', async (type, status, act) => {
    const payment = newPayment();
    await act(payment);
    const [webhook] = await bench.webhooks(type, payment.code);
    expect(webhook?.event.data).toMatchObject({ status });
  });

  it('tells the refunds of a pix when they are done, and a chargeback', async () => {
    const payment = newPayment();
    const { id } = chargeOf(await payment.create(PIX));
    await bench.control.pay(payment.transactionId);
    await bench.webhooks('charge.paid', payment.code);
    await bench.control.script({ transaction_id: payment.transactionId }, { pending_then: 'executed' }, 2);
    await bench.send('DELETE', `charges/${id}`, { amount: 1_000 });
    await bench.control.finishOperation(payment.transactionId);
    const [part] = await bench.webhooks('charge.partial_canceled', payment.code);
    expect(part?.event.data).toMatchObject({
      canceled_amount: 1_000,
      last_transaction: { status: 'partial_refunded' },
    });
    await bench.send('DELETE', `charges/${id}`);
    await bench.control.finishOperation(payment.transactionId);
    const [whole] = await bench.webhooks('charge.refunded', payment.code);
    expect(whole?.event.data).toMatchObject({ status: 'canceled', canceled_amount: 10_000 });
    await bench.control.sendCallbacks(payment.transactionId, { kind: 'chargeback' });
    const [dispute] = await bench.webhooks('charge.chargedback', payment.code);
    expect(dispute?.event.data).toMatchObject({ status: 'chargedback' });
  });
});

describeWithOracle('webhook-vectors/pagarme.json', 'the signed webhooks of the reference data', (content) => {
  const { cases, jwks } = content as {
    jwks: { keys: Keys };
    cases: { case: string; body: string; header: string; expected: string }[];
  };

  it('are judged as expected by the check of these tests', () => {
    const verdicts = cases.map((each) => [each.case, isSigned(each.body, each.header, jwks.keys)]);
    expect(verdicts).toEqual(cases.map((each) => [each.case, each.expected === 'valid']));
  });

  it('have a signature header of the fake’s form', () => {
    const right = cases.find((each) => each.case === 'right');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const made = signatureOf(Buffer.from(right?.body ?? ''), 'test-key-1', privateKey);
    const form = (header = '') => header.replace(/signature=[\w-]{342}$/, 'signature=');
    expect(form(made)).toBe(form(right?.header));
  });
});
