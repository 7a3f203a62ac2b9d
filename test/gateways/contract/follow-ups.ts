import { randomUUID } from 'node:crypto';
import { AMOUNT, expectFamily, type ContractBench } from './bench';

/** Authorizations and what follows them, where a gateway authorizes without capturing. */
export function describeAuthorizations(bench: ContractBench): void {
  describe('authorizations', () => {
    it('reserve without capturing, until a date', async () => {
      const { transactionId, charge } = await bench.authorized();
      expect(Date.parse(charge.captureBefore ?? '')).toBeGreaterThan(Date.now());
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('are captured in part once, and the rest is released', async () => {
      const { transactionId, charge } = await bench.authorized();
      const capture = (nth: number, amountCents: number) =>
        bench.driver.capture(
          bench.context(),
          bench.followUp(charge, `${transactionId}-1-capture-${nth}`, { amountCents }),
        );
      await capture(1, AMOUNT - 990);
      await expectFamily(capture(2, 990), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT - 990);
    });

    it('are not captured beyond what was authorized', async () => {
      const { transactionId, charge } = await bench.authorized();
      const capture = bench.followUp(charge, `${transactionId}-1-capture`, { amountCents: AMOUNT + 1 });
      await expectFamily(bench.driver.capture(bench.context(), capture), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('are either captured or canceled', async () => {
      const first = await bench.authorized();
      const cancel = bench.followUp(first.charge, `${first.transactionId}-1-cancel`);
      await bench.driver.cancel(bench.context(), cancel);
      const capture = bench.followUp(first.charge, `${first.transactionId}-1-capture`);
      await expectFamily(bench.driver.capture(bench.context(), capture), 'invalid_request');

      const second = await bench.authorized();
      const captured = bench.followUp(second.charge, `${second.transactionId}-1-capture`);
      await bench.driver.capture(bench.context(), captured);
      const late = bench.followUp(second.charge, `${second.transactionId}-1-cancel`);
      await expectFamily(bench.driver.cancel(bench.context(), late), 'invalid_request');
    });

    for (const method of (['pix', 'billet'] as const).filter((one) => bench.can.methods.includes(one))) {
      it(`are not made of a ${method}: that is refused before anything is sent`, async () => {
        const { transactionId, request } = bench.payment({}, method);
        await expectFamily(bench.driver.authorize(bench.context(), request), 'unsupported');
        expect(await bench.gateway.requestCount(transactionId)).toBe(0);
      });
    }
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
    it('return parts until nothing is left, and never more', async () => {
      const { transactionId, charge } = await bench.charged();
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

    it('of a charge that the gateway does not know are refused', async () => {
      const { transactionId, charge } = await bench.charged();
      const stranger = { ...charge, gatewayTransactionId: randomUUID() };
      const refund = bench.followUp(stranger, `${transactionId}-1-refund`);
      await expectFamily(bench.driver.refund(bench.context(), refund), 'invalid_request');
    });
  });
}
