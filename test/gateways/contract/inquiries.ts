import { waitFor } from '../../support/stack/wait-for';
import { AMOUNT, expectFamily, found, SHORT_TIMEOUT_MS, type ContractBench } from './bench';

export function describeInquiries(bench: ContractBench): void {
  /** How a gateway tells that there is no such charge, when it is asked by our reference. */
  const absent = bench.looksUp ? 'not_found' : 'inconclusive';

  describe('inquiry', () => {
    it('finds a charge by the id of the gateway, everywhere', async () => {
      const { request, charge } = await bench.charged();
      const outcome = found(await bench.inquire(request.reference, charge.gatewayTransactionId));
      expect(outcome).toMatchObject({
        kind: 'approved',
        gatewayTransactionId: charge.gatewayTransactionId,
        authorizationCode: charge.authorizationCode,
      });
    });

    it('finds a decline', async () => {
      const [code, number] = Object.entries(bench.gateway.declinedCards)[0] ?? [];
      const { request } = bench.payment({ card: bench.card(number) });
      const declined = await bench.driver.charge(bench.context(), request);
      const outcome = found(await bench.inquire(request.reference, declined.gatewayTransactionId));
      expect(outcome).toMatchObject({ kind: 'declined', code });
    });

    it(`says ${absent} of a charge that never arrived`, async () => {
      const { transactionId, request } = bench.payment();
      await bench.gateway.causeTrouble(transactionId, { drop: 'before' });
      await expectFamily(bench.driver.charge(bench.context(), request), 'ambiguous');
      expect((await bench.inquire(request.reference)).kind).toBe(absent);
    });

    it(`says ${absent} of a request that hangs for ever without committing`, async () => {
      const { transactionId, request } = bench.payment();
      await bench.gateway.causeTrouble(transactionId, { hang: 'before' });
      const ctx = bench.context({ timeoutMs: SHORT_TIMEOUT_MS });
      await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
      expect((await bench.inquire(request.reference)).kind).toBe(absent);
    });

    it('is inconclusive while a request may still commit, whether or not its client waits', async () => {
      const { transactionId, request } = bench.payment();
      await bench.gateway.causeTrouble(transactionId, { delay_ms: 800 });
      const ctx = bench.context({ timeoutMs: SHORT_TIMEOUT_MS });
      await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
      expect((await bench.inquire(request.reference)).kind).toBe('inconclusive');
      await waitFor(async () => (await bench.gateway.netCapturedCents(transactionId)) === AMOUNT);
      if (bench.looksUp) expect(found(await bench.inquire(request.reference)).kind).toBe('approved');
    });

    it('is inconclusive when the gateway does not answer it, and never throws', async () => {
      const { transactionId, request, charge } = await bench.charged();
      for (const trouble of [
        { status: 500 },
        { status: 401 },
        { truncate: true },
        { drop: 'after' },
      ] as const) {
        await bench.gateway.causeTrouble(transactionId, trouble, 'inquiry');
        expect((await bench.inquire(request.reference, charge.gatewayTransactionId)).kind).toBe(
          'inconclusive',
        );
      }
    });

    it('does not take the charge of another payment for ours', async () => {
      const { charge } = await bench.charged();
      const { request } = bench.payment();
      const result = await bench.inquire(request.reference, charge.gatewayTransactionId);
      expect(result.kind).toBe(absent);
    });
  });
}
