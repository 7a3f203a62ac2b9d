import { InvalidWebhookSignatureError, WebhookSignatureValidator } from 'mercadopago';
import { signatureOf } from '../../../src/simulator/vendors/mercadopago/events';
import { describeWithOracle } from '../../support/vendors/oracles';
import {
  MercadoPagoBench,
  MercadoPagoPayment,
  rawCard,
  type ReceivedWebhook,
  WEBHOOK_SECRET,
} from './mercadopago-bench';

let bench: MercadoPagoBench;
beforeAll(async () => {
  bench = await MercadoPagoBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new MercadoPagoPayment(bench);

/** What Mercado Pago's own SDK says of the signature. */
function verdictOf({ headers, query }: ReceivedWebhook, dataId?: string): string {
  try {
    WebhookSignatureValidator.validate({
      xSignature: String(headers['x-signature']),
      xRequestId: String(headers['x-request-id']),
      dataId: dataId ?? new URLSearchParams(query).get('data.id'),
      secret: WEBHOOK_SECRET,
    });
    return 'valid';
  } catch (error) {
    if (error instanceof InvalidWebhookSignatureError) return error.reason;
    throw error;
  }
}

describe('a webhook of the fake of Mercado Pago', () => {
  it('names a payment in its query, which the signature covers, and in its body', async () => {
    const { body } = await newPayment().pay();
    const [webhook] = await bench.webhooks(body.id);
    if (webhook === undefined) throw new Error('no webhook');
    expect(webhook.query).toBe(`data.id=${body.id}&type=payment`);
    expect(webhook.event).toMatchObject({
      type: 'payment',
      action: 'payment.created',
      api_version: 'v1',
      data: { id: String(body.id) },
    });
    expect(verdictOf(webhook)).toBe('valid');
    expect(verdictOf(webhook, '1')).toBe('SignatureMismatch');
  });

  it('reports every later change, and is signed anew each time', async () => {
    const payment = newPayment();
    const { body } = await payment.authorize();
    await bench.send('PUT', `v1/payments/${body.id}`, { capture: true });
    await bench.send('POST', `v1/payments/${body.id}/refunds`, { amount: 1 });
    const webhooks = await bench.webhooks(body.id, 3);
    const actions = webhooks.map(({ event }) => event.action);
    expect(actions.toSorted()).toEqual(['payment.created', 'payment.updated', 'payment.updated']);
    expect(webhooks.map((webhook) => verdictOf(webhook))).toEqual(['valid', 'valid', 'valid']);
    expect(new Set(webhooks.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });

  it('reports a paid pix, and is forged with another secret', async () => {
    const payment = newPayment();
    const { body } = await payment.pix();
    await bench.webhooks(body.id);
    await bench.control.pay(payment.transactionId);
    const [, paid] = await bench.webhooks(body.id, 2);
    expect(paid?.event.action).toBe('payment.updated');
    await bench.control.sendCallbacks(payment.transactionId, { forge: true });
    const forged = (await bench.webhooks(body.id, 3)).at(-1);
    expect(forged && verdictOf(forged)).toBe('SignatureMismatch');
  });

  it('about a dispute has an id of its own, and names the payment only in its body', async () => {
    const payment = newPayment();
    const { body } = await payment.pay();
    await bench.webhooks(body.id);
    await bench.control.sendCallbacks(payment.transactionId, { kind: 'chargeback' });
    const [, updated] = await bench.webhooks(body.id, 2);
    expect(updated?.event.action).toBe('payment.updated');
    const dispute = bench.received.find(({ event }) => event.data.payment_id === body.id);
    if (dispute === undefined) throw new Error('no dispute');
    expect(dispute.event.type).toBe('topic_chargebacks_wh');
    expect(dispute.query).toBe(`data.id=${dispute.event.data.id}&type=topic_chargebacks_wh`);
    expect(verdictOf(dispute)).toBe('valid');
    expect((await bench.get(`v1/payments/${body.id}`)).body).toMatchObject({ status: 'charged_back' });
    expect((await bench.get(`v1/chargebacks/${dispute.event.data.id}`)).body).toMatchObject({
      payment_id: body.id,
      amount: 129.9,
    });
  });
});

describeWithOracle('webhook-vectors/mercadopago.json', 'the signed webhooks of Mercado Pago', (content) => {
  const { secret, cases } = content as {
    secret: string;
    cases: readonly { x_signature: string | null; x_request_id: string | null; data_id: string | null }[];
  };

  it('are of the form that the fake signs', () => {
    const signed = signatureOf(secret, 'ord01jq4s4ky8hwq6na5pxb65b3d3', new Date());
    const [valid] = cases;
    expect(Object.keys(signed)).toEqual(['x-signature', 'x-request-id']);
    expect(signed['x-signature']).toMatch(/^ts=\d+,v1=[0-9a-f]{64}$/);
    expect(valid?.x_signature).toMatch(/^ts=\d+,v1=[0-9a-f]{64}$/);
  });
});

describe('a seller at the fake of Mercado Pago', () => {
  const client = { client_id: '7741', client_secret: 'segredo' };
  const redirect_uri = 'https://loja.example.com/volta';
  const consent = async (): Promise<URL> => {
    const query = new URLSearchParams({ client_id: client.client_id, redirect_uri, state: 'abc' });
    const { status, headers } = await bench.get(`auth/authorization?${query.toString()}`, { token: null });
    expect(status).toBe(302);
    return new URL(headers.get('location') ?? '');
  };
  const exchange = (fields: object) =>
    bench.send('POST', 'oauth/token', { ...client, ...fields }, { token: null });

  it('consents, and the code becomes a token once, which pays an application fee', async () => {
    const back = await consent();
    expect(back.searchParams.get('state')).toBe('abc');
    const grant = { grant_type: 'authorization_code', code: back.searchParams.get('code'), redirect_uri };
    expect(await exchange({ ...grant, client_id: '1' })).toMatchObject({ body: { error: 'invalid_grant' } });
    const second = { ...grant, code: (await consent()).searchParams.get('code') };
    const issued = await exchange(second);
    expect(issued).toMatchObject({ status: 200, body: { expires_in: 15_552_000, token_type: 'Bearer' } });
    expect(await exchange(second)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const payment = newPayment();
    const { body } = await payment.pay(
      rawCard(),
      { application_fee: 12.9 },
      { token: issued.body.access_token },
    );
    expect(body).toMatchObject({
      status: 'approved',
      fee_details: [{ type: 'application_fee', amount: 12.9, fee_payer: 'collector' }],
      transaction_details: { net_received_amount: 117 },
    });
  });

  it('is kept by a refresh token, which is replaced each time', async () => {
    const code = (await consent()).searchParams.get('code');
    const { body } = await exchange({ grant_type: 'authorization_code', code, redirect_uri });
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const renewed = await exchange(refresh);
    expect(renewed.status).toBe(200);
    expect(renewed.body.access_token).not.toBe(body.access_token);
    expect((await exchange(refresh)).status).toBe(400);
  });
});
