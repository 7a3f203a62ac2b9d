import type { MerchantInitiation } from '../../../src/domain/shared/charge-initiation';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { VaultCardId } from '../../../src/domain/shared/ids';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { cardIdentity } from '../../../src/domain/subscriptions/charge-guard';
import { claimNext } from '../../support/scenarios/interleaving';
import { startEngine, type Engine } from '../../support/stack/engine';
import { pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany, rawCard } from '../../support/fixtures/payments';
import { waitForPayment, requestsOf, signalWorkflow, type Purchase } from '../../support/scenarios/purchase';
import { insertPlan, insertSubscription, linkToSubscription } from '../../support/fixtures/recurring-rows';

let engine: Engine;
beforeAll(async () => {
  // The subscriptions are rows without workflows.
  engine = await startEngine({}, { change: { wakeSubscription: () => undefined } });
});
afterAll(() => engine.stop());

const RENEWAL: MerchantInitiation = {
  initiator: 'merchant',
  reason: 'recurring',
  networkIds: { transactionId: '093146781204553', transactionLinkId: null, eloReference: null },
};

interface Charge extends Purchase {
  readonly vaultCardId: VaultCardId;
}

/** A committed charge of a subscription whose workflow has not started. */
async function chargeOfSubscription(
  gateways: readonly GatewaySlug[],
  details: Omit<Parameters<typeof linkToSubscription>[2], 'subscriptionId'>,
  number = '4111111111111111',
): Promise<Charge> {
  const company = await newCompany(engine, gateways);
  const idle = { ...engine, payments: engine.idlePayments };
  const { body } = await pay(idle, company, { amount: uniqueAmount(), card: rawCard(number) });
  const { db } = engine.context;
  const { customerId, vaultCardId } = await rowOf(company, body.transaction_id);
  const planId = await insertPlan(db, company.id);
  const subscriptionId = await insertSubscription(db, {
    ...{ companyId: company.id, customerId, planId, vaultCardId: vaultCardId ?? '' },
  });
  await linkToSubscription(db, body.transaction_id, { ...details, subscriptionId });
  return { company, body, vaultCardId: vaultCardId as VaultCardId };
}

async function rowOf(company: AuthenticatedCompany, transactionId: string) {
  const payment = await engine.context.payments.find(company.id, transactionId);
  if (payment === null) throw new Error('the payment does not exist');
  return payment;
}

async function attemptsOf({ body }: Purchase) {
  return engine.context.attempts.listByTransaction(body.transaction_id);
}

describe('the charge of a subscription', () => {
  it('the gateway receives the network ids with which it was created, and returns those of the new charge', async () => {
    const networkIds = {
      transactionId: '093146781204553',
      transactionLinkId: 'e7R9d3L2-Q9vS6pP1_WzEh',
      eloReference: null,
    };
    const charge = await chargeOfSubscription(['gateway_1'], { initiation: { ...RENEWAL, networkIds } });
    await signalWorkflow(engine, charge);
    const body = await waitForPayment(engine, charge, { status: 'approved' });
    expect(body).toMatchObject({ initiator: 'merchant', charge_reason: 'recurring' });
    expect(await requestsOf(engine, charge, 'charge')).toMatchObject([
      {
        initiation: {
          ...{ initiator: 'merchant', reason: 'recurring' },
          network_ids: {
            network_transaction_id: networkIds.transactionId,
            transaction_link_id: networkIds.transactionLinkId,
            elo_reference: null,
          },
        },
      },
    ]);
    const [attempt] = await attemptsOf(charge);
    expect(attempt?.networkIds?.transactionId).toMatch(/^\d{15}$/);
  });

  it('the vault keeps the card without the CVV after an approval', async () => {
    const charge = await chargeOfSubscription(['gateway_1'], {});
    expect(await engine.context.vault.read(charge.company.id, charge.vaultCardId)).toMatchObject({
      cvv: '737',
    });
    await signalWorkflow(engine, charge);
    await waitForPayment(engine, charge, { status: 'approved' });
    expect(await engine.context.vault.read(charge.company.id, charge.vaultCardId)).toEqual({
      number: '4111111111111111',
      cvv: null,
    });
  });

  it('the vault keeps the card after a decline, because the charge is retried', async () => {
    const number = '4000000000000341';
    const charge = await chargeOfSubscription(['gateway_1'], { initiation: RENEWAL }, number);
    await signalWorkflow(engine, charge);
    await waitForPayment(engine, charge, { status: 'failed', message: 'insufficient funds' });
    expect(await engine.context.vault.read(charge.company.id, charge.vaultCardId)).toEqual({
      number,
      cvv: null,
    });
  });

  it('it is attempted at most MAX_ATTEMPTS times even if the network allows more', async () => {
    const charge = await chargeOfSubscription(['gateway_1', 'gateway_2', 'gateway_4', 'gateway_5'], {});
    const { transaction_id, amount } = charge.body;
    await engine.simulator.script({ transaction_id, amount }, { decline: '91' }, 0);
    await signalWorkflow(engine, charge);
    await waitForPayment(engine, charge, { status: 'failed', attempts: 3 });
  });
});

describe('the charges by which a card network limits further ones', () => {
  it('are declined, of unknown outcome or without an answer; those that forbid the card count for ever', async () => {
    const charge = await chargeOfSubscription(['gateway_1'], {});
    const { attemptId } = await claimNext(engine, charge);
    const { cardFingerprint, amountCents } = await rowOf(charge.company, charge.body.transaction_id);
    const card = { fingerprint: cardFingerprint ?? '', expireMonth: 12, expireYear: 2035 };
    const { db, cardDeclines } = engine.context;
    const listed = (days = 0, companyId = charge.company.id, expireMonth = 12) => {
      const charged = { companyId, identity: cardIdentity({ ...card, expireMonth }) };
      const until = new Date(Date.now() + days * 86_400_000);
      return db.inTransaction((tx) => cardDeclines.list(charged, until, tx));
    };
    const become = (status: string, code: string | null = null, type: string | null = null) =>
      db.query(
        'UPDATE gateway_attempts SET status = $2, response_code = $3, decline_type = $4 WHERE id = $1',
        [...[attemptId, status, code, type]],
      );

    expect(await listed()).toMatchObject({ declines: [], open: [{ amountCents, code: null }] });
    await become('unknown', 'timeout');
    expect(await listed()).toMatchObject({ declines: [{ amountCents, code: null }], open: [] });
    await become('declined', '51', 'soft');
    expect(await listed()).toMatchObject({ declines: [{ amountCents, code: '51' }], open: [] });
    const none = { declines: [], open: [] };
    expect(await listed(30)).not.toEqual(none);
    expect(await listed(32)).toEqual(none);
    expect(await listed(0, charge.company.id + 1)).toEqual(none);
    expect(await listed(0, charge.company.id, 1)).toEqual(none);
    await become('declined', '41', 'hard');
    expect(await listed(400)).toMatchObject({ declines: [{ code: '41' }] });
    await become('approved');
    expect(await listed()).toEqual(none);
  });
});

describe('the advice code of a card network', () => {
  it.each([
    ['5100000000000024', '51', '24'],
    ['5100000000000503', '05', '03'],
  ])(
    'the advice code of a decline of %s is recorded, and prevents failover',
    async (number, code, advice) => {
      const charge = await chargeOfSubscription(['gateway_1', 'gateway_2'], {}, number);
      await signalWorkflow(engine, charge);
      await waitForPayment(engine, charge, { status: 'failed', attempts: 1 });
      expect(await attemptsOf(charge)).toMatchObject([
        { status: 'declined', responseCode: code, adviceCode: advice },
      ]);
    },
  );

  it('the advice code is found by an inquiry if the answer was lost', async () => {
    const charge = await chargeOfSubscription(['gateway_1'], {});
    const { transaction_id } = charge.body;
    const behavior = { decline: '51', advice: '26', drop: 'after' } as const;
    await engine.simulator.script({ transaction_id, operation: 'charge' }, behavior);
    await signalWorkflow(engine, charge);
    await waitForPayment(engine, charge, { status: 'failed', message: 'insufficient funds' });
    const [attempt] = await attemptsOf(charge);
    expect(attempt).toMatchObject({ status: 'declined', responseCode: '51', adviceCode: '26' });
  });
});
