import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { errorOf, StripeBench, StripePayment } from './stripe-bench';

let bench: StripeBench;
beforeAll(async () => {
  bench = await StripeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new StripePayment(bench.sdk());
const newAccount = (id_number = '52998224725'): Promise<Stripe.Account> =>
  bench.sdk().accounts.create({ country: 'BR', email: 'loja@example.com', individual: { id_number } });
/** Cents that the ledger credits to connected accounts, less what was taken back. */
async function receivedBy(payment: StripePayment): Promise<number> {
  const { entries } = await bench.control.ledger(payment.transactionId);
  const isRecipient = (account: string | null) => account?.startsWith('recipient:') === true;
  return entries.reduce(
    (sum, { credit, debit, amount }) =>
      sum + (isRecipient(credit) ? amount : isRecipient(debit) ? -amount : 0),
    0,
  );
}

describe('a connected account at the fake of Stripe', () => {
  it('receives the amount without the platform’s fee, and gives its part of a refund back', async () => {
    const { id: destination, charges_enabled } = await newAccount();
    expect(charges_enabled).toBe(true);
    const payment = newPayment();
    const intent = await payment.pay({ transfer_data: { destination }, application_fee_amount: 1_000 });
    expect(intent).toMatchObject({ application_fee_amount: 1_000, transfer_data: { destination } });
    expect(await receivedBy(payment)).toBe(9_000);
    await bench.sdk().refunds.create({ payment_intent: intent.id, amount: 5_000, reverse_transfer: true });
    expect(await receivedBy(payment)).toBe(4_500);
    const { entries } = await bench.control.ledger(payment.transactionId);
    const refunded = entries.filter(({ kind }) => kind === 'refunded');
    expect(refunded.reduce((sum, { amount }) => sum + amount, 0)).toBe(5_000);
  });

  it('receives what the transfer says of a partial capture', async () => {
    const { id: destination } = await newAccount();
    const payment = newPayment();
    const { id } = await payment.pay({
      capture_method: 'manual',
      transfer_data: { destination },
      application_fee_amount: 1_000,
    });
    await bench.sdk().paymentIntents.capture(id, { amount_to_capture: 6_000 });
    expect(await receivedBy(payment)).toBe(5_000);
  });

  it('receives nothing while it is not active, and a fee alone has nobody to be taken from', async () => {
    const pending = await newAccount('52998224700');
    expect(await bench.sdk().accounts.retrieve(pending.id)).toMatchObject({
      charges_enabled: false,
      capabilities: { transfers: 'pending' },
      requirements: { disabled_reason: 'requirements.pending_verification' },
    });
    const toPending = newPayment().pay({ transfer_data: { destination: pending.id } });
    expect(await errorOf(toPending)).toMatchObject({
      code: 'resource_missing',
      param: 'transfer_data[destination]',
    });
    expect(await errorOf(newPayment().pay({ application_fee_amount: 100 }))).toMatchObject({
      param: 'application_fee_amount',
    });
  });

  it('waits for its owner if a script says so, with a new link for each request, and is in the list', async () => {
    const sdk = bench.sdk();
    const reference = randomUUID();
    const match = { transaction_id: reference, operation: 'recipient' } as const;
    await bench.control.script(match, { needs_consent: true });
    const account = await sdk.accounts.create({ country: 'BR', metadata: { reference } });
    expect(account).toMatchObject({
      details_submitted: false,
      requirements: { currently_due: expect.arrayContaining(['external_account']) as unknown },
    });
    const url = 'https://example.com/';
    const params = {
      account: account.id,
      refresh_url: url,
      return_url: url,
      type: 'account_onboarding',
    } as const;
    const links = [await sdk.accountLinks.create(params), await sdk.accountLinks.create(params)];
    expect(new Set(links.map((link) => link.url)).size).toBe(2);
    const nobody = sdk.accountLinks.create({ ...params, account: 'acct_0' });
    expect(await errorOf(nobody)).toMatchObject({ code: 'resource_missing', param: 'account' });
    const newer = await newAccount();
    const { data } = await sdk.accounts.list({ created: { gte: account.created ?? 0 }, limit: 2 });
    expect(data.map(({ id }) => id)).toEqual([newer.id, account.id]);
    expect((await sdk.accounts.list({ created: { lt: account.created ?? 0 } })).data).not.toContainEqual(
      expect.objectContaining({ id: account.id }),
    );
  });
});
