import { RequestInquiry } from '../../../src/application/payments/request-inquiry';
import { INQUIRY_PAUSE_MS } from '../../../src/domain/payments/operations/requested-inquiry';
import type { PaymentBody } from '../../../src/presenters/payment';
import { adminOf } from '../../support/fixtures/admin';
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, stuckCharge, type CompanyWithUser } from '../support/manual-resolution';
import { pendingPix, sale, to } from '../support/payment-scenario';

/** A card that the issuer declines. */
const DECLINED_CARD = '4000000000009995';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({ STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '6' }, { workers: 'payments' });
});
afterAll(() => api.stop());

const detailOf = async ({ byToken }: CompanyWithUser, payment: PaymentBody) =>
  expectStatus(await byToken('getUserPayment', to(payment)), 200).body.data;

const askedBy = async ({ byToken }: CompanyWithUser, { transaction_id: id }: PaymentBody) => {
  const query = { action: 'payment.inquire', subject_type: 'payment', subject_id: id } as const;
  return expectStatus(await byToken('listAuditLog', { query }), 200).body.data;
};

/** Waits for the outcome of the inquiry that a user requested. */
const untilAnswered = (company: CompanyWithUser, payment: PaymentBody) =>
  waitFor(async () => {
    const detail = await detailOf(company, payment);
    if (detail.inquiry === null || detail.inquiry.answered_at === null)
      throw new Error('the inquiry has no outcome');
    return detail;
  });

/** Lets the next request ask again, as if the last one was made long ago. */
async function forgetPause({ transaction_id: id }: PaymentBody): Promise<void> {
  await api.engine.context.db.execute(
    `UPDATE payments SET inquiry_requested_at = inquiry_requested_at - $2 * interval '1 ms' WHERE transaction_id = $1`,
    [id, INQUIRY_PAUSE_MS],
  );
}

describe('POST /user/payments/{id}/inquire', () => {
  it('finds out that a pix was paid, though no callback has come, and shows what it found', async () => {
    const company = await registerCompanyWithUser(api);
    const payment = await pendingPix(company.byKey);
    const { body } = expectStatus(await company.byToken('inquirePayment', to(payment)), 202);
    expect(body.data).toMatchObject({ answered_at: null, outcome: null });
    expect((await untilAnswered(company, payment)).inquiry?.outcome).toBe('unchanged');

    await api.engine.simulator.pay(payment.transaction_id);
    await forgetPause(payment);
    expectStatus(await company.byToken('inquirePayment', to(payment)), 202);
    const detail = await untilAnswered(company, payment);
    expect(detail.inquiry?.outcome).toBe('changed');
    expect(detail.payment.status).toBe('approved');
    expect(detail.timeline.map(({ kind }) => kind)).toContain('inquiry_requested');
  });

  it('asks at most once in the pause, and has one audit entry for each time that it asks', async () => {
    const company = await registerCompanyWithUser(api);
    const payment = await pendingPix(company.byKey);
    const answers = await Promise.all(
      [1, 2, 3].map(async () => expectStatus(await company.byToken('inquirePayment', to(payment)), 202)),
    );
    expect(new Set(answers.map(({ body }) => body.data.requested_at)).size).toBe(1);
    await untilAnswered(company, payment);
    expect(expectStatus(await company.byToken('inquirePayment', to(payment)), 202).body.data.outcome).toBe(
      'unchanged',
    );
    expect(await askedBy(company, payment)).toMatchObject([{ user: { email: company.user.email } }]);
  });

  it('says that the gateway gave no certain answer about a charge in manual review, and decides nothing', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_3']);
    const payment = await stuckCharge(api, company);
    expectStatus(await company.byToken('inquirePayment', to(payment)), 202);
    const detail = await untilAnswered(company, payment);
    expect(detail.inquiry?.outcome).toBe('no_answer');
    expect(detail.payment.status).toBe('processing');
    expect(detail.stuck_since).not.toBeNull();
  });

  it('is asked by the sweeper if nothing woke the workflow', async () => {
    const company = await registerCompanyWithUser(api);
    const payment = await pendingPix(company.byKey);
    const { context, sweeper } = api.engine;
    const reported: unknown[] = [];
    const useCase = new RequestInquiry({
      ...context,
      workflows: { wake: () => Promise.reject(new Error('Temporal is away')) },
      reportError: (_id, error) => reported.push(error),
    });
    await useCase.execute(await adminOf(context, company.companyId), payment.transaction_id);
    expect(reported).toHaveLength(1);
    await waitFor(
      async () => {
        await sweeper.sweepOnce();
        return (await detailOf(company, payment)).inquiry?.outcome === 'unchanged';
      },
      { what: 'the outcome', everyMs: 500 },
    );
  });

  it('also asks about an approved charge, and refuses a payment of which no gateway has anything', async () => {
    const company = await registerCompanyWithUser(api);
    const approved = await sale(company.byKey);
    expectStatus(await company.byToken('inquirePayment', to(approved)), 202);
    expect((await untilAnswered(company, approved)).inquiry?.outcome).toBe('unchanged');
    const request = paymentRequest({ card: rawCard(DECLINED_CARD) });
    const { body: declined } = expectStatus(await company.byKey('createCardPayment', { body: request }), 200);
    const refused = expectStatus(await company.byToken('inquirePayment', to(declined)), 409);
    expect(refused.body.code).toBe('invalid_state');
    expect((await detailOf(company, declined)).inquiry).toBeNull();
  });
});
