import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { BILLING_TYPES, PAYMENT_STATUSES, REFUND_STATUSES } from '../../../../src/gateways/asaas/wire';
import type { InquiryResult } from '../../../../src/gateways/gateway';
import { describeWithOracle } from '../../../support/vendors/oracles';
import {
  asaasStub,
  authorized,
  billet,
  BOLETO_LINE,
  followUp,
  list,
  ok,
  payment,
  pix,
  QR_CODE,
  REFERENCE,
  refund,
  type StubAnswer,
} from './asaas-stub';

const driver = new AsaasDriver();
const inquire = (body: object, reference = REFERENCE, ...more: readonly StubAnswer[]) =>
  driver.inquire(asaasStub(ok(body), ...more).ctx, {
    reference,
    gatewayTransactionId: 'pay_1',
    sentAt: null,
  });
const summary = (result: InquiryResult): string => {
  if (result.kind !== 'found' || result.outcome.kind === 'declined') return 'unknown';
  const { kind, chargeState } = result.outcome;
  return `${kind} ${chargeState?.capturedCents} ${chargeState?.refundedCents} ${chargeState?.paidCents}`;
};

const NONE = 'unknown';
const PENDING = 'pending 0 0 0';
const CARD_PAID = 'approved 12990 0 0';
const PAID = 'approved 12990 0 12990';
/** For each state, what an inquiry finds about a card and about a pix or boleto: kind, captured, refunded and paid cents. */
const ROWS: Readonly<Record<(typeof PAYMENT_STATUSES)[number], readonly [card: string, paidLater: string]>> =
  {
    PENDING: [NONE, PENDING],
    OVERDUE: [NONE, PENDING],
    DUNNING_REQUESTED: [NONE, PENDING],
    AWAITING_RISK_ANALYSIS: [NONE, NONE],
    AUTHORIZED: ['authorized 0 0 0', NONE],
    CONFIRMED: [CARD_PAID, PAID],
    RECEIVED: [CARD_PAID, PAID],
    CHARGEBACK_REQUESTED: [CARD_PAID, PAID],
    CHARGEBACK_DISPUTE: [CARD_PAID, PAID],
    AWAITING_CHARGEBACK_REVERSAL: [CARD_PAID, PAID],
    RECEIVED_IN_CASH: [NONE, PAID],
    DUNNING_RECEIVED: [NONE, PAID],
    REFUND_REQUESTED: [CARD_PAID, PAID],
    REFUND_IN_PROGRESS: [CARD_PAID, PAID],
    REFUNDED: ['refunded 12990 12990 0', 'refunded 12990 12990 12990'],
  };

describe('a payment', () => {
  it.each(PAYMENT_STATUSES)('that is %s has the outcomes of its row', async (status) => {
    const [card, paidLater] = ROWS[status];
    expect(summary(await inquire(payment({ status })))).toBe(card);
    expect(summary(await inquire(pix({ status }), REFERENCE, QR_CODE))).toBe(paidLater);
    expect(summary(await inquire(billet({ status }), REFERENCE, BOLETO_LINE))).toBe(paidLater);
  });

  describeWithOracle('asaas/asaas-sdk-models.schema.json', 'in the SDK’s models', (content) => {
    it('has no state, method or refund state without a row', () => {
      const { $defs } = content as { $defs: Record<string, { enum?: string[] }> };
      const known = (model: string): readonly string[] => $defs[model]?.enum ?? [];
      expect(Object.keys(ROWS)).toEqual(
        expect.arrayContaining([...known('PaymentGetResponsePaymentStatus')]) as unknown,
      );
      expect(BILLING_TYPES).toEqual(
        expect.arrayContaining([...known('PaymentGetResponseBillingType')]) as unknown,
      );
      expect(REFUND_STATUSES).toEqual(known('PaymentRefundGetResponsePaymentRefundStatus'));
    });
  });

  it.each([
    ['a state', { status: 'ON_HOLD' }],
    ['a method', { billingType: 'CRYPTO' }],
    ['a method of which the driver creates nothing', { billingType: 'DEBIT_CARD' }],
    ['a refund’s state', { refunds: [refund({ status: 'LOST' })] }],
    ['three decimals', { value: 129.905 }],
    ['a negative amount', { value: -1 }],
    ['no word about its deletion', { deleted: undefined }],
    ['a deletion after it was paid', { deleted: true }],
  ])('with %s that the driver does not know proves nothing', async (_, change) => {
    expect((await inquire(payment(change))).kind).toBe('inconclusive');
  });

  it('that is deleted before it is paid is canceled', async () => {
    for (const status of ['PENDING', 'OVERDUE'])
      expect(summary(await inquire(pix({ status, deleted: true })))).toBe('canceled 0 0 0');
  });

  it('of an authorization that was given back is canceled, and undecided while that is in progress', async () => {
    expect(summary(await inquire(authorized({ status: 'REFUNDED' })))).toBe('canceled 0 0 0');
    for (const status of ['REFUND_REQUESTED', 'REFUND_IN_PROGRESS'])
      expect((await inquire(authorized({ status }))).kind).toBe('inconclusive');
  });

  it('that we canceled is canceled, also if an authorization has the dates of a captured charge', async () => {
    const refunds = [refund({ description: `${REFERENCE}-cancel` })];
    const voided = payment({ status: 'REFUNDED', refunds });
    expect(summary(await inquire(voided))).toBe('canceled 0 0 0');
    expect(await inquire(voided, `${REFERENCE}-cancel`)).toMatchObject({ outcome: { kind: 'canceled' } });
    const inProgress = payment({ status: 'REFUND_IN_PROGRESS', refunds });
    expect((await inquire(inProgress)).kind).toBe('inconclusive');
  });

  it('of an authorization can be captured until three days after the day of its creation', async () => {
    expect(await inquire(authorized())).toMatchObject({
      outcome: { kind: 'authorized', captureBefore: '2026-06-11T03:00:00.000Z' },
    });
  });

  it('that is partly refunded counts what is done, not what is planned or cancelled', async () => {
    const refunds = [
      refund({ value: 40 }),
      refund({ value: 10, status: 'PENDING' }),
      refund({ value: 5, status: 'CANCELLED' }),
    ];
    expect(summary(await inquire(payment({ refunds })))).toBe('approved 12990 4000 0');
    expect(summary(await inquire(payment({ refunds: [refund({ value: 129.9 })] })))).toBe(
      'refunded 12990 12990 0',
    );
  });

  it('of a boleto that was paid with interest has the requested and the paid amount', async () => {
    const late = billet({ status: 'RECEIVED', value: 135.2, originalValue: 129.9 });
    expect(await inquire(late)).toMatchObject({
      outcome: { kind: 'approved', amountCents: 12_990, paidAmountCents: 13_520 },
    });
  });

  it('of a pix expires at the end of its due date, and shows who paid it', async () => {
    expect(await inquire(pix(), REFERENCE, QR_CODE)).toMatchObject({
      outcome: { pix: { qrCode: '000201pix', expiresAt: '2026-06-11T02:59:59.000Z', endToEndId: null } },
    });
    const paid = pix({ status: 'RECEIVED', pixTransaction: 'pix_1' });
    const transaction = ok({ id: 'pix_1', endToEndIdentifier: 'E1234' });
    expect(await inquire(paid, REFERENCE, transaction)).toMatchObject({
      outcome: { kind: 'approved', pix: { endToEndId: 'E1234' } },
    });
  });
});

describe('an inquiry about an operation', () => {
  it('finds a capture by the charge, because it is captured once and as a whole', async () => {
    const reference = `${REFERENCE}-capture`;
    expect(await inquire(payment(), reference)).toMatchObject({
      outcome: { kind: 'approved', amountCents: 12_990, chargeState: null },
    });
    expect(await inquire(payment({ status: 'REFUNDED' }), reference)).toMatchObject({ kind: 'found' });
    expect((await inquire(authorized(), reference)).kind).toBe('not_found');
    expect((await inquire(authorized({ status: 'REFUNDED' }), reference)).kind).toBe('not_found');
  });

  it('finds a cancel by the charge, and never takes a refund for one', async () => {
    const reference = `${REFERENCE}-cancel`;
    expect(await inquire(pix({ deleted: true }), reference)).toMatchObject({ outcome: { kind: 'canceled' } });
    expect(await inquire(authorized({ status: 'REFUNDED' }), reference)).toMatchObject({
      outcome: { kind: 'canceled' },
    });
    expect((await inquire(payment({ status: 'REFUNDED' }), reference)).kind).toBe('not_found');
    expect((await inquire(authorized(), reference)).kind).toBe('not_found');
    expect((await inquire(payment({ status: 'AWAITING_RISK_ANALYSIS' }), reference)).kind).toBe(
      'inconclusive',
    );
  });

  const OUTCOMES: Readonly<Record<(typeof REFUND_STATUSES)[number], string>> = {
    PENDING: 'pending',
    AWAITING_CRITICAL_ACTION_AUTHORIZATION: 'pending',
    AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION: 'pending',
    CANCELLED: 'declined',
    DONE: 'refunded',
  };
  it.each(REFUND_STATUSES)(
    'finds a refund that is %s by our reference in its description',
    async (status) => {
      const other = refund({ description: `${REFERENCE}-refund-2 outro` });
      const own = refund({ status, description: `${REFERENCE}-refund pedido cancelado` });
      const { reference } = followUp();
      expect(await inquire(payment({ refunds: [other, own] }), reference)).toMatchObject({
        outcome: { kind: OUTCOMES[status], gatewayTransactionId: 'pay_1' },
      });
    },
  );

  it('reads a refund in the list of refunds only, and proves nothing if two have the reference', async () => {
    const { reference } = followUp();
    expect(await inquire(payment(), reference, list(refund()))).toMatchObject({ kind: 'found' });
    expect((await inquire(payment(), reference, ok({ data: [] }))).kind).toBe('inconclusive');
    expect((await inquire(payment({ refunds: [refund(), refund()] }), reference)).kind).toBe('inconclusive');
  });
});
