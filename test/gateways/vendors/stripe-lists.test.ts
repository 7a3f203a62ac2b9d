import { waitFor } from '../../support/stack/wait-for';
import { chargeOf, errorOf, StripeBench, StripePayment } from './stripe-bench';

let bench: StripeBench;
const SEARCH_LAG_MS = 1_500;
beforeAll(async () => {
  bench = await StripeBench.start({ searchLagMs: SEARCH_LAG_MS });
});
afterAll(() => bench.stop());

const newPayment = () => new StripePayment(bench.sdk());
const search = async (reference: string) => {
  const query = `metadata['reference']:'${reference}'`;
  return (await bench.sdk().paymentIntents.search({ query, expand: ['data.latest_charge'] })).data;
};

describe('the search of the fake of Stripe', () => {
  it('knows a payment only after its delay, while the list knows it at once', async () => {
    const payment = newPayment();
    const { id } = await payment.pay();
    expect(await search(payment.reference)).toEqual([]);
    expect((await bench.sdk().paymentIntents.list({ limit: 1 })).data).toMatchObject([{ id }]);
    const [found] = await waitFor(async () => {
      const intents = await search(payment.reference);
      return intents.length > 0 && intents;
    });
    expect(found).toMatchObject({ id, metadata: { reference: payment.reference } });
    expect(found && chargeOf(found).captured).toBe(true);
    expect(await search('another reference')).toEqual([]);
    const logged = await bench.control.requests(payment.transactionId);
    expect(logged.map(({ operation }) => operation)).toContain('inquiry');
  });

  it('refuses a query that it does not understand', async () => {
    const error = await errorOf(bench.sdk().paymentIntents.search({ query: 'last4:1111' }));
    expect(error).toMatchObject({ statusCode: 400, param: 'query' });
  });
});

describe('the lists of the fake of Stripe', () => {
  it('are newest first, in pages, and limited by the time of creation', async () => {
    const sdk = bench.sdk();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await newPayment().pay()).id);
    const first = await sdk.paymentIntents.list({ limit: 2 });
    expect({ ids: first.data.map(({ id }) => id), more: first.has_more }).toEqual({
      ids: ids.slice(0, 2),
      more: true,
    });
    const second = await sdk.paymentIntents.list({ limit: 1, starting_after: ids[1] ?? '' });
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2));
    const back = await sdk.paymentIntents.list({ limit: 2, ending_before: ids[2] ?? '' });
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const future = Math.floor(Date.now() / 1000) + 60;
    expect((await sdk.paymentIntents.list({ created: { gte: future } })).data).toEqual([]);
    expect(
      (await sdk.paymentIntents.list({ created: { lt: future, gte: future - 3_600 } })).data.length,
    ).toBeGreaterThan(2);
    expect(await errorOf(sdk.paymentIntents.list({ starting_after: 'pi_none' }))).toMatchObject({
      code: 'resource_missing',
      param: 'starting_after',
    });
  });

  it('find the charge of a payment, which can also be retrieved', async () => {
    const sdk = bench.sdk();
    const intent = await newPayment().pay();
    const { data } = await sdk.charges.list({ payment_intent: intent.id });
    expect(data).toEqual([chargeOf(intent)]);
    expect(await sdk.charges.retrieve(chargeOf(intent).id)).toEqual(chargeOf(intent));
  });
});
