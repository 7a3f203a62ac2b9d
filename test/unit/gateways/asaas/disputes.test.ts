import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { CHARGEBACK_STATUSES } from '../../../../src/gateways/asaas/wire';
import { isForFraud } from '../../../../src/domain/disputes/dispute-fraud';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { asaasStub, ok, payment, REFERENCE } from './asaas-stub';

const driver = new AsaasDriver();

async function inquired(changes: object) {
  const { ctx } = asaasStub(ok(payment({ confirmedDate: '2026-05-04', ...changes })));
  const subject = { reference: REFERENCE, gatewayTransactionId: 'pay_1', sentAt: null };
  const result = await driver.inquire(ctx, subject);
  if (result.kind !== 'found' || result.outcome.kind === 'declined') throw new Error(result.kind);
  return result.outcome;
}
const CHARGEBACK = { id: 'cbk_1', status: 'REQUESTED', reason: 'ABSENT_CARD_FRAUD', value: 100 };

describe('a chargeback at Asaas', () => {
  it('tells its amount, reason and the end of its last day, as of the inquiry', async () => {
    const before = Date.now();
    const chargeback = { ...CHARGEBACK, deadlineToSendDisputeDocuments: '2026-06-10' };
    const { disputes } = await inquired({ status: 'CHARGEBACK_REQUESTED', chargeback });
    expect(disputes).toMatchObject([
      {
        gatewayDisputeId: 'cbk_1',
        currency: null,
        kind: 'chargeback',
        status: 'opened',
        amountCents: 10_000,
        reasonCode: 'ABSENT_CARD_FRAUD',
        evidenceDueAt: new Date('2026-06-11T02:59:59Z'),
      },
    ]);
    expect(disputes?.[0]?.at.getTime()).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ['CHARGEBACK_REQUESTED', 'REQUESTED', 'opened'],
    ['CHARGEBACK_DISPUTE', 'IN_DISPUTE', 'submitted'],
    ['AWAITING_CHARGEBACK_REVERSAL', 'IN_DISPUTE', 'won'],
    ['CONFIRMED', 'REVERSED', 'won'],
    ['REFUNDED', 'DISPUTE_LOST', 'lost'],
    ['REFUNDED', 'DONE', 'lost'],
  ])('of a payment that is %s with %s is %s, and no refund', async (status, state, meant) => {
    const { kind, chargeState, disputes } = await inquired({
      status,
      chargeback: { ...CHARGEBACK, status: state },
    });
    expect(disputes).toMatchObject([{ status: meant }]);
    expect(kind).toBe('approved');
    expect(chargeState).toMatchObject({ status: 'approved', refundedCents: 0 });
  });

  it('is none without one, and has the id of the payment without its own', async () => {
    expect(await inquired({ status: 'CONFIRMED', chargeback: null })).not.toHaveProperty('disputes');
    const { disputes } = await inquired({
      status: 'CHARGEBACK_REQUESTED',
      chargeback: { status: 'REQUESTED', reason: 'PROCESS_ERROR' },
    });
    expect(disputes).toMatchObject([{ gatewayDisputeId: 'pay_1', reasonCode: 'PROCESS_ERROR' }]);
  });
});

describeWithOracle('asaas/asaas-sdk-models.schema.json', 'the models of Asaas’ SDK', (content) => {
  const { $defs: models } = content as { $defs: Record<string, { enum?: readonly string[] }> };

  it('know these states of a chargeback, and no others', () => {
    const states = models.PaymentChargebackResponseChargebackStatus?.enum ?? [];
    expect(states.toSorted()).toEqual(CHARGEBACK_STATUSES.toSorted());
  });

  it('name a fraud in the reasons that block the card, and in no others', () => {
    const reasons = models.PaymentChargebackResponseChargebackReason?.enum ?? [];
    expect(reasons.length).toBeGreaterThan(20);
    const blocking = reasons.filter((reasonCode) => isForFraud({ kind: 'chargeback', reasonCode }));
    expect(blocking).toEqual(reasons.filter((reason) => reason.includes('FRAUD')));
  });
});
