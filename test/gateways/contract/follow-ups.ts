import { randomUUID } from 'node:crypto';
import { AMOUNT, expectFamily, type ContractBench } from './bench';

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
        bench.driver.capture(
          bench.context(),
          bench.followUp(charge, `${transactionId}-1-capture-${nth}`, { amountCents }),
        );
      if (!bench.capabilities.partialCapture) {
        await expectFamily(capture(1, AMOUNT - 990), 'invalid_request');
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
        return;
      }
      await capture(1, AMOUNT - 990);
      await expectFamily(capture(2, 990), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT - 990);
    });

    it('cannot be captured beyond the authorized amount', async () => {
      const { transactionId, charge } = await bench.createAuthorization();
      const capture = bench.followUp(charge, `${transactionId}-1-capture`, { amountCents: AMOUNT + 1 });
      await expectFamily(bench.driver.capture(bench.context(), capture), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('can be captured or canceled, but not both', async () => {
      const first = await bench.createAuthorization();
      const cancel = bench.followUp(first.charge, `${first.transactionId}-1-cancel`);
      await bench.driver.cancel(bench.context(), cancel);
      const capture = bench.followUp(first.charge, `${first.transactionId}-1-capture`);
      await expectFamily(bench.driver.capture(bench.context(), capture), 'invalid_request');

      const second = await bench.createAuthorization();
      const captured = bench.followUp(second.charge, `${second.transactionId}-1-capture`);
      await bench.driver.capture(bench.context(), captured);
      const late = bench.followUp(second.charge, `${second.transactionId}-1-cancel`);
      await expectFamily(bench.driver.cancel(bench.context(), late), 'invalid_request');
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
      const { transactionId, charge } = await bench.createCharge();
      const refund = (nth: number, amountCents: number) =>
        bench.driver.refund(
          bench.context(),
          bench.followUp(charge, `${transactionId}-1-refund-${nth}`, { amountCents }),
        );
      expect(await refund(1, 4_000)).toMatchObject({ kind: 'refunded', amountCents: 4_000 });
      await expectFamily(refund(2, AMOUNT), 'invalid_request');
      expect(await refund(3, AMOUNT - 4_000)).toMatchObject({ kind: 'refunded' });
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('of an unknown charge are rejected', async () => {
      const { transactionId, charge } = await bench.createCharge();
      const unknown = { ...charge, gatewayTransactionId: randomUUID() };
      const refund = bench.followUp(unknown, `${transactionId}-1-refund`);
      await expectFamily(bench.driver.refund(bench.context(), refund), 'invalid_request');
    });
  });
}
