import { randomUUID } from 'node:crypto';
import { waitFor } from '../../support/stack/wait-for';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { CheckoutVisit, newLink } from '../checkout/checkout-buyer';
import { liveAccess, newCompanyAccess } from '../isolation/company-resources';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { joined, verifyAddress } from '../users/team-api';

let api: EngineApi;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([
    startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }),
    startWebhookReceiver(),
  ]);
});
afterAll(async () => {
  receiver.close();
  await api.stop();
});

const newCompany = () => registerCompanyWithUser(api, []);

const onboardingOf = async ({ byToken }: Pick<CompanyWithUser, 'byToken'>) =>
  expectStatus(await byToken('getOnboarding'), 200).body.data;

async function doneSteps(company: CompanyWithUser): Promise<string[]> {
  const { steps } = await onboardingOf(company);
  return steps.filter(({ done }) => done).map(({ step }) => step);
}

async function connect({ byToken }: CompanyWithUser): Promise<void> {
  const request = { params: { slug: 'gateway_1' }, body: { secret_key: `sk_test_${randomUUID()}` } } as const;
  expectStatus(await byToken('saveUserGateway', request), 200);
}

const payTest = ({ byToken }: CompanyWithUser, key: string = randomUUID()) =>
  byToken('createTestPayment', { headers: { 'Idempotency-Key': key } });

/** A user of the company who may only read. */
async function readerOf({ user, byToken }: CompanyWithUser): Promise<ApiClient> {
  await verifyAddress(api, user.registered.user.id);
  return (await joined(api, { client: byToken }, 'read_only')).client;
}

describe('the first steps of a company', () => {
  it('are done by what happens, one after the other, and stay completed when what showed it is gone', async () => {
    const company = await newCompany();
    expect(await onboardingOf(company)).toEqual({
      completed: false,
      dismissed: false,
      steps: ['connect_gateway', 'make_payment', 'receive_webhook', 'share_link'].map((step) => ({
        step,
        done: false,
      })),
    });
    await connect(company);
    expect(await doneSteps(company)).toEqual(['connect_gateway']);
    expect(expectStatus(await payTest(company), 200).body.status).toBe('approved');
    expect(await doneSteps(company)).toEqual(['connect_gateway', 'make_payment']);
    const link = await newLink(company.byKey);
    expect(await doneSteps(company)).not.toContain('share_link');
    await CheckoutVisit.atLink(api, link);
    expect(await doneSteps(company)).toContain('share_link');
    const endpoint = { url: receiver.url, events: ['transaction.approved'], enabled: true };
    const { id } = expectStatus(await company.byToken('createWebhookEndpoint', { body: endpoint }), 201).body;
    expectStatus(await company.byToken('testWebhookEndpoint', { params: { id: String(id) } }), 202);
    await waitFor(async () => (await onboardingOf(company)).completed);
    const { db } = api.engine.context;
    await db.execute(
      'DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM webhook_deliveries WHERE company_id = $1)',
      [company.companyId],
    );
    await db.execute('DELETE FROM webhook_deliveries WHERE company_id = $1', [company.companyId]);
    expect(await onboardingOf(company)).toMatchObject({ completed: true });
    expect((await doneSteps(company)).length).toBe(4);
  });

  it('are dismissed for the whole company, each change once in the audit log, and can be shown again', async () => {
    const company = await newCompany();
    const colleague = await readerOf(company);
    const dismiss = (dismissed: boolean) => company.byToken('updateOnboarding', { body: { dismissed } });
    expectStatus(await dismiss(true), 200);
    expect(expectStatus(await dismiss(true), 200).body.data.dismissed).toBe(true);
    expect((await onboardingOf({ byToken: colleague })).dismissed).toBe(true);
    expectStatus(await colleague('updateOnboarding', { body: { dismissed: false } }), 403);
    expect(expectStatus(await dismiss(false), 200).body.data.dismissed).toBe(false);
    const query = { action: 'onboarding.update' } as const;
    const audit = expectStatus(await company.byToken('listAuditLog', { query }), 200).body;
    expect(audit.data.map(({ changes }) => changes)).toEqual([
      { dismissed: { from: true, to: false } },
      { dismissed: { from: false, to: true } },
    ]);
  });

  it('of another company do not count', async () => {
    const [company, other] = [await newCompany(), await newCompany()];
    await connect(other);
    expectStatus(await payTest(other), 200);
    expectStatus(await other.byToken('updateOnboarding', { body: { dismissed: true } }), 200);
    expect(await doneSteps(company)).toEqual([]);
    expect((await onboardingOf(company)).dismissed).toBe(false);
  });
});

describe('a test payment', () => {
  it('is made once for each idempotency key, also by concurrent requests, and is audited once', async () => {
    const company = await newCompany();
    await connect(company);
    const key = randomUUID();
    const answers = await Promise.all([payTest(company, key), payTest(company, key), payTest(company, key)]);
    const ids = answers.map((answer) => expectStatus(answer, 200).body.transaction_id);
    expect(new Set(ids).size).toBe(1);
    const next = expectStatus(await payTest(company), 200).body.transaction_id;
    expect(ids).not.toContain(next);
    const { meta } = expectStatus(await company.byToken('listUserPayments'), 200).body;
    expect(meta.total).toBe(2);
    const query = { action: 'payment.create_test' } as const;
    const audit = expectStatus(await company.byToken('listAuditLog', { query }), 200).body;
    expect(audit.data.map(({ subject }) => subject.id)).toEqual([next, ids[0]]);
  });

  it('is routed by the company’s rules, as any other payment, and needs a gateway', async () => {
    const company = await newCompany();
    expectStatus(await payTest(company), 422);
    await connect(company);
    const { transactions } = expectStatus(await payTest(company), 200).body;
    expect(transactions[0]?.gateway).toBe('gateway_1');
  });

  it('cannot be made with live data, nor by a user who may not act on payments', async () => {
    const live = await liveAccess(api, await newCompanyAccess(api));
    const headers = { 'Idempotency-Key': randomUUID() };
    expectStatus(await live.byToken('createTestPayment', { headers }), 404);
    const company = await newCompany();
    const reader = await readerOf(company);
    expectStatus(await reader('createTestPayment', { headers }), 403);
  });
});
