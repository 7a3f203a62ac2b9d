import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import { failure, mercadoPagoStub, ok, REFERENCE, type StubAnswer } from './mercadopago-stub';

const driver = new MercadoPagoDriver();
const PAYMENT = {
  id: 4_711,
  status: 'charged_back',
  status_detail: 'in_process',
  payment_method_id: 'master',
  payment_type_id: 'credit_card',
  currency_id: 'BRL',
  transaction_amount: 129.9,
  external_reference: REFERENCE,
};
/** The example of Mercado Pago's page on chargebacks. */
const CHARGEBACK = {
  id: '234000062890459000',
  payments: [4_711],
  currency: 'BRL',
  amount: 100.5,
  reason: 'general',
  coverage_applied: null,
  coverage_elegible: true,
  documentation_required: true,
  documentation_status: 'pending',
  documentation: [],
  date_documentation_deadline: '2024-10-30T12:48:24.000-04:00',
  date_created: null,
  date_last_updated: '2024-10-17T12:48:24.000-04:00',
  live_mode: true,
};
const listed = (...results: readonly object[]): StubAnswer =>
  ok({ paging: { total: results.length }, results });

async function inquired(...answers: readonly StubAnswer[]) {
  const stub = mercadoPagoStub(...answers);
  const subject = { reference: REFERENCE, gatewayTransactionId: '4711', sentAt: null };
  const result = await driver.inquire(stub.ctx, subject);
  return { result, paths: stub.paths(), lastUrl: stub.sent.at(-1)?.url };
}
async function disputesIn(...answers: readonly StubAnswer[]) {
  const { result } = await inquired(...answers);
  return result.kind === 'found' && result.outcome.kind !== 'declined' ? result.outcome.disputes : null;
}

describe('a chargeback at Mercado Pago', () => {
  it('is searched for by the payment, and tells amount, reason, deadline and instant', async () => {
    const { result, paths, lastUrl } = await inquired(ok(PAYMENT), listed(CHARGEBACK));
    expect(paths).toEqual(['GET payments/4711', 'GET chargebacks/search']);
    expect(lastUrl).toMatch(/\?payment_id=4711$/);
    expect(result).toMatchObject({
      kind: 'found',
      outcome: {
        kind: 'approved',
        chargeState: { capturedCents: 12_990, refundedCents: 0 },
        disputes: [
          {
            gatewayDisputeId: '234000062890459000',
            currency: 'BRL',
            kind: 'chargeback',
            status: 'opened',
            amountCents: 10_050,
            reasonCode: 'general',
            evidenceDueAt: new Date('2024-10-30T16:48:24Z'),
            at: new Date('2024-10-17T16:48:24Z'),
          },
        ],
      },
    });
  });

  it.each([
    [{ coverage_applied: true }, 'won'],
    [{ coverage_applied: false }, 'lost'],
    [{ documentation_status: 'review_pending' }, 'submitted'],
    [{ documentation_status: 'valid' }, 'submitted'],
    [{ documentation_status: 'not_supplied' }, 'opened'],
  ])('with %j is %s', async (change, status) => {
    const [dispute] = (await disputesIn(ok(PAYMENT), listed({ ...CHARGEBACK, ...change }))) ?? [];
    expect(dispute).toMatchObject({ status });
    expect(dispute?.evidenceDueAt === null).toBe(status !== 'opened');
  });

  it('of several payments counts up to the amount of this one', async () => {
    expect(await disputesIn(ok(PAYMENT), listed({ ...CHARGEBACK, amount: 900 }))).toMatchObject([
      { amountCents: 12_990 },
    ]);
  });

  it('is not searched for while the payment is not charged back', async () => {
    const { paths } = await inquired(ok({ ...PAYMENT, status: 'in_mediation' }));
    expect(paths).toEqual(['GET payments/4711']);
  });

  it('that the token may not read leaves the payment known, and one without an answer is asked for again', async () => {
    expect(await disputesIn(ok(PAYMENT), failure(403))).toBeUndefined();
    const { result } = await inquired(ok(PAYMENT), { status: 500, body: 'no' });
    expect(result.kind).toBe('inconclusive');
  });
});

describe('an answer to a chargeback at Mercado Pago', () => {
  const { disputes } = driver;
  const DISPUTE = { gatewayDisputeId: CHARGEBACK.id };
  const PDF = { name: 'recibo.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.7') } as const;
  const receipt = { kind: 'receipt', file: PDF, uploadedId: null } as const;
  const submit = (answer: StubAnswer) => {
    const stub = mercadoPagoStub(answer);
    return { stub, done: disputes.submit(stub.ctx, DISPUTE, [receipt]) };
  };

  it('is a form of files named by what they show', async () => {
    const { stub, done } = submit(ok({}));
    await done;
    expect(stub.paths()).toEqual([`POST chargebacks/${CHARGEBACK.id}/documentation`]);
    const [request] = stub.sent;
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    const form = request?.bytes?.toString('latin1') ?? '';
    expect(form).toContain('name="files[]"; filename="receipt.pdf"');
    expect(form).toContain('%PDF-1.7');
  });

  it('counts as taken with 200 and JSON or nothing, and not with a page or another status', async () => {
    await expect(submit({ status: 200, body: '' }).done).resolves.toBeUndefined();
    for (const answer of [{ status: 200, body: '<html>' }, { status: 201, body: {} }, failure(500)])
      await expect(submit(answer).done).rejects.toMatchObject({ family: 'ambiguous' });
  });

  it.each([
    [{ documentation_status: 'pending' }, 'opened'],
    [{ documentation_status: 'pending', documentation: [{ type: 'pdf' }] }, 'submitted'],
    [{ documentation_status: 'review_pending' }, 'submitted'],
    [{ documentation_status: 'invalid', documentation: [{ type: 'pdf' }] }, 'opened'],
    [{ coverage_applied: true }, 'won'],
    [{ coverage_applied: false }, 'lost'],
  ])('whose own answer was lost has the status that %p reports: %s', async (change, status) => {
    const { ctx } = mercadoPagoStub(ok({ ...CHARGEBACK, ...change }));
    await expect(disputes.findStatus?.(ctx, DISPUTE)).resolves.toBe(status);
  });
});
