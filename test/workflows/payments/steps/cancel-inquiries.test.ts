import { pollPaymentStatus } from '../../../../activities/payments/poll-payment-status';
import { recordCharge } from '../../../../activities/payments/record-charge';
import type { InquiryResult, InquirySubject } from '../../../../src/gateways/gateway';
import { startEngine, type Engine } from '../../../support/stack/engine';
import {
  INCONCLUSIVE,
  NOT_FOUND,
  SteppedPayment,
  done,
  failed,
  found,
  withInquiries,
} from './stepped-payment';

/* When the void of a charge answers the question about a cancel. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

describe('a cancel that its gateway does not know', () => {
  const about = (suffix: string, answer: InquiryResult) => (subject: InquirySubject) =>
    subject.reference.endsWith(`-${suffix}`) ? answer : NOT_FOUND;

  /** The cancel of an authorization that was not captured in time, of unknown outcome. */
  async function expired(charged = SteppedPayment.charged(engine, 'authorization')) {
    const payment = await charged;
    const { id: companyId } = payment.subject.company;
    const at = Date.now() + 60 * 86_400_000;
    const poll = { companyId, transactionId: payment.id, at, offsetMs: 0 };
    await pollPaymentStatus(withInquiries(engine.deps, () => INCONCLUSIVE).deps, poll);
    const worker = await payment.next();
    await worker.record(failed('ambiguous'));
    const { id: attemptId, gatewayTransactionId } = await payment.attempt(worker.attemptId);
    return {
      payment,
      attemptId,
      charge: { amountCents: payment.amount, gatewayTransactionId: gatewayTransactionId ?? '' },
    };
  }

  it('is done if it was this service’s own and the gateway has voided the charge by itself', async () => {
    const { payment, attemptId, charge } = await expired();
    const voided = found(done('canceled', charge));
    await payment.inquire(attemptId, about('1', voided));
    expect(await payment.body()).toMatchObject({ status: 'canceled' });
  });

  it('is not done while the gateway says that the charge is authorized', async () => {
    const { payment, attemptId, charge } = await expired();
    const authorized = found(done('authorized', charge));
    const { asked } = await payment.inquire(attemptId, about('1', authorized));
    expect(asked).toHaveLength(2);
    expect(await payment.attempt(attemptId)).toMatchObject({ status: 'unknown', notFoundCount: 1 });
  });

  it('is not done if the gateway does not know the charge either', async () => {
    const { payment, attemptId } = await expired();
    const { asked } = await payment.inquire(attemptId, NOT_FOUND);
    expect(asked).toHaveLength(2);
    expect(await payment.attempt(attemptId)).toMatchObject({ status: 'unknown', notFoundCount: 1 });
  });

  it('is looked for in the charge that it cancels, not in one that failed before', async () => {
    const payment = await SteppedPayment.create(engine, 'authorization', ['gateway_1', 'gateway_4']);
    await (await payment.next()).record(failed('rate_limited'));
    await (await payment.next()).record(done('authorized'));
    const { attemptId, charge } = await expired(Promise.resolve(payment));
    await payment.inquire(attemptId, about('2', found(done('canceled', charge))));
    expect(await payment.body()).toMatchObject({ status: 'canceled' });
  });

  it('is done also if nobody knows the gateway’s id of the voided charge, which an operator has confirmed', async () => {
    const payment = await SteppedPayment.create(engine, 'authorization');
    const { attemptId: id } = await payment.next();
    const confirmed = { kind: 'confirmed', message: 'seen' } as const;
    await recordCharge(engine.deps, payment.id, { id, sendCount: 1 }, confirmed, { kind: 'call' });
    const { attemptId } = await expired(Promise.resolve(payment));
    const voided = found(done('canceled', { amountCents: payment.amount }));
    await payment.inquire(attemptId, about('1', voided));
    expect(await payment.body()).toMatchObject({ status: 'canceled' });
  });

  it('is done without a question about the charge if the gateway knows it after all', async () => {
    const { payment, attemptId, charge } = await expired();
    const { asked } = await payment.inquire(attemptId, about('cancel', found(done('canceled', charge))));
    expect(asked).toHaveLength(1);
    expect(await payment.body()).toMatchObject({ status: 'canceled' });
  });

  it.each([
    ['canceled', 'that charge', 'ch_second'],
    ['unknown', 'the first charge', 'ch_first'],
  ] as const)('and that reverses a second charge is %s if the gateway has voided %s', async (...row) => {
    const [status, , voidedId] = row;
    const payment = await SteppedPayment.create(engine, 'authorization');
    const { attemptId: id } = await payment.next();
    for (const gatewayTransactionId of ['ch_first', 'ch_second']) {
      const accepted = done('authorized', { gatewayTransactionId, amountCents: payment.amount });
      await recordCharge(engine.deps, payment.id, { id, sendCount: 1 }, accepted, { kind: 'call' });
    }
    const worker = await payment.next();
    await worker.record(failed('ambiguous'));
    const voided = { gatewayTransactionId: voidedId, amountCents: payment.amount };
    const { asked } = await payment.inquire(worker.attemptId, about('1', found(done('canceled', voided))));
    expect(asked.map(({ gatewayTransactionId }) => gatewayTransactionId)).toEqual(['ch_second', 'ch_second']);
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ purpose: 'reversal', status });
  });

  it('is looked for in the charge, and a refund that its gateway does not know is not', async () => {
    const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_4']);
    const first = await payment.next();
    await first.record(failed('rate_limited'));
    await payment.next();
    await first.record(done('approved', { amountCents: payment.amount }));
    const worker = await payment.next();
    await worker.record(failed('ambiguous'));
    const voided = found(done('canceled', { amountCents: payment.amount }));
    const { asked } = await payment.inquire(worker.attemptId, about('1', voided));
    expect(asked).toHaveLength(1);
    const { operation, purpose, notFoundCount } = await payment.attempt(worker.attemptId);
    expect([operation, purpose, notFoundCount]).toEqual(['refund', 'reversal', 1]);
  });

  it.each(['cancel', 'capture'] as const)(
    'a %s by the merchant is not looked for in the charge',
    async (operation) => {
      const payment = await SteppedPayment.charged(engine, 'authorization');
      const { worker } = await payment.claimed(operation);
      await worker.record(failed('ambiguous'));
      const voided = found(done('canceled', { amountCents: payment.amount }));
      const { asked } = await payment.inquire(worker.attemptId, about('1', voided));
      expect(asked).toHaveLength(1);
      expect(await payment.attempt(worker.attemptId)).toMatchObject({ status: 'unknown', notFoundCount: 1 });
    },
  );
});
