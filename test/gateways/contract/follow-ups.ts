import { randomUUID } from 'node:crypto';
import { AMOUNT, expectFamily, type ContractBench } from './bench';

/** Authorizations and what follows them, where a gateway authorizes without capturing. */
export function describeAuthorizations(bench: ContractBench): void {
  describe('authorizations', () => {
    it('reserves without capturing, until a date', async () => {
      const { transactionId, authorization } = await bench.authorized();
      expect(authorization).toMatchObject({ kind: 'authorized', amountCents: AMOUNT });
      expect(Date.parse(authorization.captureBefore ?? '')).toBeGreaterThan(Date.now());
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('captures a part of what was authorized, once', async () => {
      const { transactionId, authorization } = await bench.authorized();
      const capture = bench.followUp(authorization, `${transactionId}-2-capture`, AMOUNT - 990);
      const captured = await bench.driver.capture(bench.context(), capture);
      expect(captured).toMatchObject({ kind: 'approved', amountCents: AMOUNT - 990 });
      const again = bench.followUp(authorization, `${transactionId}-3-capture`, 990);
      await expectFamily(bench.driver.capture(bench.context(), again), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT - 990);
    });

    it('does not capture more than was authorized', async () => {
      const { transactionId, authorization } = await bench.authorized();
      const capture = bench.followUp(authorization, `${transactionId}-2-capture`, AMOUNT + 1);
      await expectFamily(bench.driver.capture(bench.context(), capture), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('cancels an authorization, which can then not be captured', async () => {
      const { transactionId, authorization } = await bench.authorized();
      const cancel = bench.followUp(authorization, `${transactionId}-2-cancel`);
      expect(await bench.driver.cancel(bench.context(), cancel)).toMatchObject({
        kind: 'canceled',
        amountCents: AMOUNT,
      });
      const capture = bench.followUp(authorization, `${transactionId}-3-capture`);
      await expectFamily(bench.driver.capture(bench.context(), capture), 'invalid_request');
    });
  });
}

/** A gateway that cannot only reserve must say so before it takes the money. */
export function describeNoAuthorizations(bench: ContractBench): void {
  it('refuses to authorize without capturing, before anything is sent', async () => {
    const { transactionId, request } = bench.payment();
    await expectFamily(bench.driver.authorize(bench.context(), request), 'unsupported');
    expect(await bench.gateway.requestCount(transactionId)).toBe(0);
  });
}

export function describeRefunds(bench: ContractBench): void {
  describe('refunds', () => {
    it('returns parts until nothing is left, and never more', async () => {
      const { transactionId, charge } = await bench.charged();
      const refund = (number: number, amountCents: number) =>
        bench.driver.refund(
          bench.context(),
          bench.followUp(charge, `${transactionId}-${number}-refund`, amountCents),
        );
      expect(await refund(2, 4_000)).toMatchObject({ kind: 'refunded', amountCents: 4_000 });
      await expectFamily(refund(3, AMOUNT), 'invalid_request');
      expect(await refund(4, AMOUNT - 4_000)).toMatchObject({ kind: 'refunded' });
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('refuses to act on a charge that the gateway does not know', async () => {
      const { transactionId, charge } = await bench.charged();
      const stranger = { ...charge, gatewayTransactionId: randomUUID() };
      const refund = bench.followUp(stranger, `${transactionId}-2-refund`);
      await expectFamily(bench.driver.refund(bench.context(), refund), 'invalid_request');
    });
  });
}
