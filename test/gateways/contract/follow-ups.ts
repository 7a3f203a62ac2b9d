import { randomUUID } from 'node:crypto';
import type { FollowUp } from '../../../src/gateways/gateway';
import { AMOUNT, expectFamily, requireFound, type ContractBench } from './bench';

type Kind = 'capture' | 'cancel' | 'refund';

/** The result of an operation, whether the gateway answers with it or reports it later. */
export async function resultOf(bench: ContractBench, kind: Kind, operation: FollowUp) {
  const outcome = await bench.driver[kind](bench.context(), operation);
  return bench.answersInquiries ? outcome : requireFound(await bench.learn(operation.reference));
}

/** A gateway that gives its results later gives a refusal later, too. */
export async function expectRefused(bench: ContractBench, kind: Kind, operation: FollowUp): Promise<void> {
  if (bench.answersInquiries)
    return expectFamily(bench.driver[kind](bench.context(), operation), 'invalid_request');
  expect(await resultOf(bench, kind, operation)).toMatchObject({ kind: 'declined' });
}

/** Authorizations, captures and voids of a gateway that supports authorization without capture. */
export function describeAuthorizations(bench: ContractBench): void {
  describe('authorizations', () => {
    it('reserve the amount without a capture, until a deadline', async () => {
      const { transactionId, charge } = await bench.createAuthorization();
      expect(Date.parse(charge.captureBefore ?? '')).toBeGreaterThan(Date.now());
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('can be partly captured once, which releases the rest, or only as a whole', async () => {
      const { transactionId, charge } = await bench.createAuthorization();
      const capture = (nth: number, amountCents: number) =>
        bench.followUp(charge, `${transactionId}-1-capture-${nth}`, { amountCents });
      if (!bench.capabilities.partialCapture) {
        await expectRefused(bench, 'capture', capture(2, AMOUNT - 990));
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
        return;
      }
      await resultOf(bench, 'capture', capture(2, AMOUNT - 990));
      await expectRefused(bench, 'capture', capture(3, 990));
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT - 990);
    });

    it('cannot be captured beyond the authorized amount', async () => {
      const { transactionId, charge } = await bench.createAuthorization();
      const capture = bench.followUp(charge, `${transactionId}-1-capture`, { amountCents: AMOUNT + 1 });
      await expectRefused(bench, 'capture', capture);
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('can be captured or canceled, but not both', async () => {
      const first = await bench.createAuthorization();
      const cancel = bench.followUp(first.charge, `${first.transactionId}-1-cancel`);
      await resultOf(bench, 'cancel', cancel);
      const capture = bench.followUp(first.charge, `${first.transactionId}-1-capture`);
      await expectRefused(bench, 'capture', capture);

      const second = await bench.createAuthorization();
      const captured = bench.followUp(second.charge, `${second.transactionId}-1-capture`);
      await resultOf(bench, 'capture', captured);
      const late = bench.followUp(second.charge, `${second.transactionId}-1-cancel`);
      await expectRefused(bench, 'cancel', late);
    });

    for (const method of (['pix', 'billet'] as const).filter((one) =>
      bench.capabilities.methods.includes(one),
    )) {
      it(`are rejected for ${method} before a request is sent`, async () => {
        const { transactionId, request } = bench.newPayment({}, method);
        await expectFamily(bench.driver.authorize(bench.context(), request), 'unsupported');
        expect(await bench.gateway.requestCount(transactionId)).toBe(0);
      });
    }
  });
}

/** A gateway without authorizations must reject them, because a charge would capture the money. */
export function describeNoAuthorizations(bench: ContractBench): void {
  it('rejects an authorization without capture before a request is sent', async () => {
    const { transactionId, request } = bench.newPayment();
    await expectFamily(bench.driver.authorize(bench.context(), request), 'unsupported');
    expect(await bench.gateway.requestCount(transactionId)).toBe(0);
  });
}

export function describeRefunds(bench: ContractBench): void {
  describe('refunds', () => {
    it('return partial amounts, never more than was captured', async () => {
      const { transactionId, charge } = await bench.createApproved();
      const kind = bench.refundedKind;
      const refund = (nth: number, amountCents: number) =>
        bench.followUp(charge, `${transactionId}-1-refund-${nth}`, { amountCents });
      const refunded = await resultOf(bench, 'refund', refund(2, 4_000));
      expect(refunded).toMatchObject({ kind, amountCents: 4_000 });
      await expectRefused(bench, 'refund', refund(3, AMOUNT));
      expect(await resultOf(bench, 'refund', refund(4, AMOUNT - 4_000))).toMatchObject({ kind });
      if (kind === 'refunded') expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('of an unknown charge are rejected', async () => {
      const { transactionId, charge } = await bench.createApproved();
      const unknown = { ...charge, gatewayTransactionId: randomUUID() };
      const refund = bench.followUp(unknown, `${transactionId}-1-refund`);
      await expectFamily(bench.driver.refund(bench.context(), refund), 'invalid_request');
    });
  });
}
