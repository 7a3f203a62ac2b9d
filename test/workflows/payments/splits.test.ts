import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { SplitRequest } from '../../../src/application/payments/payment-request';
import { createCompanies } from '../../../src/composition/api-companies';
import { startEngine, type Engine } from '../../support/stack/engine';
import { pay, uniqueAmount, type PayResult } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  flat,
  newRecipient,
  newSubAccount,
  percentage,
  saveAsSubAccount,
  sharesOf,
} from '../../support/fixtures/splits';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

const gatewaysOf = ({ body }: PayResult): string[] => body.transactions.map(({ gateway }) => gateway);

describe('the splits of a payment', () => {
  it('each recipient receives its percentage', async () => {
    const company = await newCompany(engine);
    const [shop, partner] = [await newRecipient(engine, company), await newRecipient(engine, company)];
    const paid = await pay(engine, company, {
      amount: 10_000,
      splits: [percentage(shop, 85), percentage(partner, 15)],
    });
    expect(paid.body.status).toBe('approved');
    expect(await sharesOf(engine, paid)).toEqual({ [shop]: 8_500, [partner]: 1_500 });
  });

  it('each recipient receives its flat amount', async () => {
    const company = await newCompany(engine);
    const [shop, partner] = [await newRecipient(engine, company), await newRecipient(engine, company)];
    const paid = await pay(engine, company, {
      amount: 10_000,
      splits: [flat(shop, 9_999), flat(partner, 1)],
    });
    expect(await sharesOf(engine, paid)).toEqual({ [shop]: 9_999, [partner]: 1 });
  });

  it('the rounding remainder goes by largest remainder, then request order, or to the recipient with charge_remainder_fee', async () => {
    const company = await newCompany(engine);
    const [a, b, c] = [
      await newRecipient(engine, company),
      await newRecipient(engine, company),
      await newRecipient(engine, company),
    ];
    const share = async (amount: number, splits: SplitRequest[]) =>
      sharesOf(engine, await pay(engine, company, { amount, splits }));
    // Exact shares of 101 cents: 33.33, 33.33 and 34.34.
    expect(await share(101, [percentage(a, 33), percentage(b, 33), percentage(c, 34)])).toEqual({
      [a]: 33,
      [b]: 33,
      [c]: 35,
    });
    expect(await share(101, [percentage(a, 50), percentage(b, 50)])).toEqual({ [a]: 51, [b]: 50 });
    const flagged = percentage(b, 50, { charge_remainder_fee: true });
    expect(await share(101, [percentage(a, 50), flagged])).toEqual({ [a]: 50, [b]: 51 });
  });

  it("the gateway's fee is taken from the recipient with charge_processing_fee", async () => {
    const company = await newCompany(engine);
    const [shop, partner] = [await newRecipient(engine, company), await newRecipient(engine, company)];
    const amount = uniqueAmount() * 2;
    await engine.simulator.script({ amount, operation: 'charge' }, { fee: 390 });
    const paid = await pay(engine, company, {
      amount,
      splits: [percentage(shop, 50), percentage(partner, 50, { charge_processing_fee: true })],
    });
    expect(await sharesOf(engine, paid)).toEqual({ [shop]: amount / 2, [partner]: amount / 2 - 390 });
  });

  it('the shares sum to the amount for any percentages and amount', async () => {
    const company = await newCompany(engine);
    const recipients = [
      await newRecipient(engine, company),
      await newRecipient(engine, company),
      await newRecipient(engine, company),
    ] as const;
    const cut = fc
      .tuple(fc.integer({ min: 1, max: 49 }), fc.integer({ min: 50, max: 99 }))
      .map(([first, second]) => [first, second - first, 100 - second]);
    await fc.assert(
      fc.asyncProperty(cut, fc.integer({ min: 100, max: 999_999_999 }), async (percents, amount) => {
        const splits = recipients.map((id, index) => percentage(id, percents[index] ?? 0));
        const shares = Object.values(await sharesOf(engine, await pay(engine, company, { amount, splits })));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
      }),
      { numRuns: 15 },
    );
  });
});

describe('a sub-account credential', () => {
  it('its recipient receives the whole payment unless the payment has its own splits', async () => {
    const company = await newCompany(engine, []);
    const recipientId = await saveAsSubAccount(engine, company);
    const own = await newRecipient(engine, company);
    const whole = await pay(engine, company);
    expect(await sharesOf(engine, whole)).toEqual({ [recipientId]: whole.body.amount });
    const split = await pay(engine, company, { splits: [percentage(own, 100)] });
    expect(await sharesOf(engine, split)).toEqual({ [own]: split.body.amount });
  });
});

describe('recipients at gateways', () => {
  it('only gateways that have all recipients are attempted', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    await newRecipient(engine, company, 'gateway_1');
    const there = await newRecipient(engine, company, 'gateway_2');
    const splits = [percentage(there, 100)];
    expect(gatewaysOf(await pay(engine, company, { splits }))).toEqual(['gateway_2']);
    const preferred = await pay(engine, company, { splits, gateway_first_try: 'gateway_1' });
    expect(gatewaysOf(preferred)).toEqual(['gateway_2']);
  });

  it('the request is rejected if no gateway has all recipients', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const splits = [
      percentage(await newRecipient(engine, company, 'gateway_1'), 50),
      percentage(await newRecipient(engine, company, 'gateway_2'), 50),
    ];
    await expect(pay(engine, company, { splits })).rejects.toMatchObject({
      code: 'no_gateway_available',
      message:
        'No enabled gateway supports this payment: gateway_1 does not hold every recipient of the splits; ' +
        'gateway_2 does not hold every recipient of the splits.',
    });
  });

  it('the request is rejected if the company has no credentials at the gateway of the recipient', async () => {
    const company = await newCompany(engine, ['gateway_1']);
    const splits = [percentage(await newRecipient(engine, company, 'gateway_2'), 100)];
    await expect(pay(engine, company, { splits })).rejects.toMatchObject({ code: 'no_gateway_available' });
  });

  it('a payment does not fail over to a gateway without the recipient', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const splits = [percentage(await newRecipient(engine, company, 'gateway_1'), 100)];
    const amount = uniqueAmount();
    await engine.simulator.script({ amount }, { decline: '91' });
    const paid = await pay(engine, company, { amount, splits });
    expect(paid.body).toMatchObject({ status: 'failed', attempts: 1 });
    expect(gatewaysOf(paid)).toEqual(['gateway_1']);
  });

  it('the error names each recipient that the company does not have, even if another company has it', async () => {
    const [company, other] = [await newCompany(engine), await newCompany(engine)];
    const [own, theirs] = [await newRecipient(engine, company), await newRecipient(engine, other)];
    const splits = [percentage(own, 40), percentage(theirs, 30), percentage('re_unknown', 30)];
    await expect(pay(engine, company, { splits })).rejects.toMatchObject({
      code: 'validation_error',
      fields: {
        'splits.1.recipient_id': ['names no recipient of yours'],
        'splits.2.recipient_id': ['names no recipient of yours'],
      },
    });
  });

  it('a pending recipient cannot receive a share until the gateway accepts it', async () => {
    const company = await newCompany(engine);
    const { id, recipient_id, status } = await newSubAccount(engine, company, 'gateway_1', '52998224700');
    expect(status).toBe('pending');
    const splits = [percentage(recipient_id ?? '', 100)];
    const key = randomUUID();
    await expect(pay(engine, company, { splits }, key)).rejects.toMatchObject({
      code: 'no_gateway_available',
    });

    await engine.simulator.decideRecipient(recipient_id ?? '', 'active');
    const { subAccounts } = createCompanies(engine.config, engine.context);
    await waitFor(async () => (await subAccounts.get(company.id, id)).status === 'active');
    const paid = await pay(engine, company, { splits }, key);
    expect(paid.body.status).toBe('approved');
    expect(await sharesOf(engine, paid)).toEqual({ [recipient_id ?? '']: paid.body.amount });
  });

  it('a rejected recipient cannot receive a share', async () => {
    const company = await newCompany(engine);
    const refused = await newSubAccount(engine, company, 'gateway_1', '52998224799');
    const examined = await newSubAccount(engine, company, 'gateway_1', '52998224700');
    await engine.simulator.decideRecipient(examined.recipient_id ?? '', 'refused');
    const { subAccounts } = createCompanies(engine.config, engine.context);
    await waitFor(async () => (await subAccounts.get(company.id, examined.id)).status === 'refused');
    for (const { recipient_id } of [refused, examined]) {
      const splits = [percentage(recipient_id ?? '', 100)];
      await expect(pay(engine, company, { splits })).rejects.toMatchObject({ code: 'no_gateway_available' });
    }
  });
});
