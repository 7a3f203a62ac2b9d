import type { ChargeRequest, GatewayContext } from '../../../src/gateways/gateway';
import { waitFor } from '../../support/wait-for';
import { accepted, AMOUNT, expectFamily, found, type ContractBench } from './bench';

/** What is left of a charge that committed but whose answer never came, by how the gateway helps to learn of it. */
export function describeLostAnswers(bench: ContractBench): void {
  const lostCharge = async (
    ctx: GatewayContext = bench.context(),
  ): Promise<{ transactionId: string; request: ChargeRequest }> => {
    const { transactionId, request } = bench.payment();
    await bench.gateway.causeTrouble(transactionId, { drop: 'after' });
    await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
    return { transactionId, request };
  };
  const byReference = (): void => {
    it('is found by our reference', async () => {
      const { transactionId, request } = await lostCharge();
      expect(found(await bench.inquire(request.reference))).toMatchObject({
        kind: 'approved',
        amountCents: AMOUNT,
      });
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
    });
  };
  const notByReference = (): void => {
    it('stays unknown: asking by our reference is inconclusive, never "not found"', async () => {
      const { transactionId, request } = await lostCharge();
      expect((await bench.inquire(request.reference)).kind).toBe('inconclusive');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
    });
  };
  const byKey = (): void => {
    it('is given again for the same key, and the card is charged once', async () => {
      const ctx = bench.context();
      const { transactionId, request } = await lostCharge(ctx);
      const replayed = accepted(await bench.driver.charge(ctx, request));
      expect(replayed).toMatchObject({ kind: 'approved', amountCents: AMOUNT });
      expect(await bench.driver.charge(ctx, request)).toEqual(replayed);
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
    });

    it('gives a decline again too', async () => {
      const [number] = Object.values(bench.gateway.declinedCards);
      const { request } = bench.payment({ card: bench.card(number) });
      const ctx = bench.context();
      const declined = await bench.driver.charge(ctx, request);
      expect(await bench.driver.charge(ctx, request)).toEqual(declined);
    });

    it('leaves a key that meets its own unfinished request ambiguous', async () => {
      const { transactionId, request } = bench.payment();
      await bench.gateway.causeTrouble(transactionId, { delay_ms: 500 });
      const ctx = bench.context();
      const first = bench.driver.charge(ctx, request);
      await waitFor(async () => (await bench.gateway.requestCount(transactionId)) === 1);
      await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
      expect((await first).kind).toBe('approved');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
    });

    it('does not let a key be used for another request', async () => {
      const { request } = bench.payment();
      const ctx = bench.context();
      await bench.driver.charge(ctx, request);
      const other = { ...request, amountCents: AMOUNT + 1 };
      await expectFamily(bench.driver.charge(ctx, other), 'invalid_request');
    });
  };
  const notByKey = (): void => {
    it('charges twice where keys are not replayed, which is why an engine must not send twice', async () => {
      const { transactionId, request } = bench.payment();
      const ctx = bench.context();
      await bench.driver.charge(ctx, request);
      await bench.driver.charge(ctx, request);
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(2 * AMOUNT);
      expect((await bench.inquire(request.reference)).kind).toBe('inconclusive');
    });
  };

  describe('a lost answer', bench.looksUp ? byReference : notByReference);
  describe('a repeated key', bench.replaysKeys ? byKey : notByKey);
}
