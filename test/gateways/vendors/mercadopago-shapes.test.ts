import { randomUUID } from 'node:crypto';
import { describeWithOracle } from '../../support/vendors/oracles';
import { CARDS, MercadoPagoBench, MercadoPagoPayment, rawCard } from './mercadopago-bench';
import { shapeDifferences } from './open-api-check';

let bench: MercadoPagoBench;
beforeAll(async () => {
  bench = await MercadoPagoBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new MercadoPagoPayment(bench);
const MOCKS = 'mercadopago/sdk-php-mocks';

/** What the samples have and the fake leaves out: data of the payer, of risk and of accounts that it does not have. */
const LEFT_OUT = [
  'internal_metadata',
  'marketplace_owner',
  'additional_info',
  'metadata',
  'brand_id',
  'three_ds_info',
];
const MORE_LEFT_OUT = [
  'acquirer_reconciliation',
  'differential_pricing',
  'payment_method_option_id',
  'identification',
];
/** What the fake has and the samples lack: SDK 3.6.1 and mercadopago/sdk-php name it (`Payment`, `TransactionDetails`, `TransactionData`). */
const NEWER = ['payment_method', 'acquirer', 'barcode', 'digitable_line', 'transaction_id'];
const EXTRA = new Set([...LEFT_OUT, ...MORE_LEFT_OUT, ...NEWER]);

/** Payments of every kind and state, as `GET /v1/payments/{id}` shows them. */
async function payments(): Promise<readonly (readonly [string, object])[]> {
  const created = {
    authorized: await newPayment().authorize(),
    approved: await newPayment().pay(),
    declined: await newPayment().pay(rawCard(CARDS.noFunds)),
    voided: await newPayment().authorize(),
    refunded: await newPayment().pay(),
    pix: await newPayment().pix(),
    boleto: await newPayment().boleto(),
  };
  await bench.send('PUT', `v1/payments/${created.voided.body.id}`, { status: 'cancelled' });
  await bench.send('POST', `v1/payments/${created.refunded.body.id}/refunds`, { amount: 1 });
  const shown = Object.entries(created).map(
    async ([name, { body }]) => [name, (await bench.get(`v1/payments/${body.id}`)).body] as const,
  );
  return Promise.all(shown);
}

describeWithOracle(`${MOCKS}/payment_base.json`, 'the payment of Mercado Pago’s SDK', (sample) => {
  it('has the fields of the fake’s payments in all states, with their types', async () => {
    const differences = (await payments()).flatMap(([name, payment]) =>
      shapeDifferences(payment, sample, EXTRA)
        // Only a card has these, only a pix or boleto a point of interaction, and only a refunded payment refunds.
        .filter((difference) => !/^(card|point_of_interaction|fee_details|refunds)\b/.test(difference))
        .map((difference) => `${name}: ${difference}`),
    );
    expect(differences).toEqual([]);
  });

  it('has the fields of the fake’s cards', async () => {
    const [, payment] = (await payments())[0] ?? [];
    const cardOf = (value: unknown) => (value as { card: object }).card;
    expect(shapeDifferences(cardOf(payment), cardOf(sample), EXTRA)).toEqual([]);
  });
});

describeWithOracle(`${MOCKS}/payment_refund.json`, 'the refund of Mercado Pago’s SDK', (sample) => {
  it('has the fields of the fake’s refunds', async () => {
    const { body } = await newPayment().pay();
    const refund = await bench.send('POST', `v1/payments/${body.id}/refunds`, { amount: 1 });
    expect(shapeDifferences(refund.body, sample, new Set())).toEqual([]);
  });
});

describeWithOracle(`${MOCKS}/card_token_get.json`, 'the card token of Mercado Pago’s SDK', (sample) => {
  it('has the fields of the fake’s tokens', async () => {
    const token = await bench.send('POST', 'v1/card_tokens', rawCard());
    // The Python SDK's sample has it.
    expect(shapeDifferences(token.body, sample, new Set(['card_id']))).toEqual([]);
  });
});

describeWithOracle(`${MOCKS}/payment_search.json`, 'the search of Mercado Pago’s SDK', (sample) => {
  it('has the form of the fake’s search', async () => {
    const payment = newPayment();
    await payment.pay();
    const answer = await bench.get(`v1/payments/search?external_reference=${payment.reference}`);
    const { results, ...rest } = sample as { results: readonly { payment_type_id: string }[] };
    const { results: found, ...page } = answer.body;
    expect(shapeDifferences(page, rest, new Set())).toEqual([]);
    const card = results.find(({ payment_type_id: type }) => type === 'credit_card');
    const extra = new Set([...EXTRA, 'callback_url', 'shipping_cost', 'operator_id']);
    const differences = shapeDifferences(found[0], card, extra);
    expect(
      differences.filter((difference) => !/^(fee_details|point_of_interaction)\b/.test(difference)),
    ).toEqual([]);
  });
});

describeWithOracle(`${MOCKS}/chargeback_base.json`, 'the chargeback of Mercado Pago’s SDK', (sample) => {
  it('has the fields of the fake’s chargebacks', async () => {
    const payment = newPayment();
    const { body } = await payment.pay();
    await bench.control.sendCallbacks(payment.transactionId, { kind: 'chargeback' });
    await bench.webhooks(body.id, 2);
    const dispute = bench.received.find(({ event }) => event.data.payment_id === body.id);
    const shown = await bench.get(`v1/chargebacks/${dispute?.event.data.id}`);
    expect(shapeDifferences(shown.body, sample, new Set())).toEqual([]);
  });
});

describeWithOracle(`${MOCKS}/oauth_base.json`, 'the OAuth token of Mercado Pago’s SDK', (sample) => {
  it('has the fields of the fake’s tokens', async () => {
    const client = { client_id: '7741', client_secret: 'segredo' };
    const body = { ...client, grant_type: 'client_credentials' };
    const issued = await bench.send('POST', 'oauth/token', body, { token: null });
    expect(shapeDifferences(issued.body, sample, new Set())).toEqual([]);
  });
});

describeWithOracle(
  'recorded/mercadopago/failed-void.json',
  'a recorded error of Mercado Pago',
  (recorded) => {
    it('has the form of the fake’s errors', async () => {
      const { body } = recorded as { body: object };
      for (const answer of [
        await bench.send('DELETE', 'v1/payments/1'),
        await bench.send('PUT', 'v1/payments/1', { status: 'cancelled' }),
        await bench.send('POST', 'v1/payments', {}, { key: randomUUID() }),
      ])
        expect(shapeDifferences(answer.body, body, new Set(['code']))).toEqual([]);
    });
  },
);
