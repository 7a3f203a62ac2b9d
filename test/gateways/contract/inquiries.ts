import { waitFor } from '../../support/stack/wait-for';
import { AMOUNT, expectFamily, requireFound, SHORT_TIMEOUT_MS, type ContractBench } from './bench';

export function describeInquiries(bench: ContractBench): void {
  /** The result of an inquiry by our reference for an unknown charge. */
  const absent = bench.supportsLookup && bench.provesAbsence ? 'not_found' : 'inconclusive';

  if (!bench.answersInquiries) {
    it('answers no inquiry, and asks nothing', async () => {
      const { transactionId, request, charge } = await bench.createCharge();
      const requests = await bench.gateway.requestCount(transactionId);
      for (const id of [null, charge.gatewayTransactionId]) {
        expect((await bench.inquire(request.reference, id)).kind).toBe('inconclusive');
      }
      expect(await bench.gateway.requestCount(transactionId)).toBe(requests);
    });
    return;
  }

  describe('an inquiry', () => {
    it('finds a charge by the gateway’s id', async () => {
      const { request, charge } = await bench.createCharge();
      const outcome = requireFound(await bench.inquire(request.reference, charge.gatewayTransactionId));
      expect(outcome).toMatchObject({
        kind: bench.created.kind,
        gatewayTransactionId: charge.gatewayTransactionId,
        authorizationCode: charge.authorizationCode,
      });
    });

    it('tells the state of the whole charge, and none of an operation on it', async () => {
      const { transactionId, request, charge } = await bench.createApproved();
      const id = charge.gatewayTransactionId;
      const reference = `${transactionId}-1-refund`;
      await bench.driver.refund(bench.context(), bench.followUp(charge, reference, { amountCents: 4_000 }));
      expect(requireFound(await bench.inquire(request.reference, id))).toMatchObject({
        chargeState: {
          status: 'approved',
          capturedCents: AMOUNT,
          refundedCents: bench.refundedKind === 'refunded' ? 4_000 : 0,
          paidCents: bench.mainMethod === 'card' ? 0 : AMOUNT,
        },
      });
      expect(requireFound(await bench.inquire(reference, id))).toMatchObject({ chargeState: null });
    });

    it('finds a decline, or proves its absence if the gateway keeps none', async () => {
      if (!bench.capabilities.methods.includes('card')) return;
      const [number, decline] = bench.declinedCard();
      const { request } = bench.newPayment({ card: bench.card(number) });
      const declined = await bench.driver.charge(bench.context(), request);
      const inquired = await bench.inquire(request.reference, declined.gatewayTransactionId);
      if (bench.gateway.keepsDeclines === false) expect(inquired).toEqual({ kind: 'not_found' });
      else expect(requireFound(inquired)).toMatchObject({ kind: 'declined', ...decline });
    });

    it(`is ${absent} for a charge that never arrived`, async () => {
      const { transactionId, request } = bench.newPayment();
      await bench.gateway.injectFault(transactionId, { drop: 'before' });
      await expectFamily(bench.driver.charge(bench.context(), request), 'ambiguous');
      expect((await bench.inquire(request.reference)).kind).toBe(absent);
    });

    it(`is ${absent} for a request that hangs without a commit`, async () => {
      const { transactionId, request } = bench.newPayment();
      await bench.gateway.injectFault(transactionId, { hang: 'before' });
      const ctx = bench.context({}, SHORT_TIMEOUT_MS);
      await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
      expect((await bench.inquire(request.reference)).kind).toBe(absent);
    });

    it('proves no absence while a request may still commit, even after its client timed out', async () => {
      const { transactionId, request } = bench.newPayment();
      await bench.gateway.injectFault(transactionId, { delay_ms: 800 });
      const ctx = bench.context({}, SHORT_TIMEOUT_MS);
      await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
      const early = await bench.inquire(request.reference);
      if (bench.gateway.tellsInProgress) expect(early.kind).toBe('inconclusive');
      else expect(bench.capabilities.lookupSettlesMs).toBeGreaterThan(0);
      const { kind, capturedCents } = bench.created;
      await waitFor(async () =>
        capturedCents > 0
          ? (await bench.gateway.netCapturedCents(transactionId)) === capturedCents
          : (await bench.inquire(request.reference)).kind === 'found',
      );
      if (bench.supportsLookup) expect(requireFound(await bench.inquire(request.reference)).kind).toBe(kind);
    });

    it('is inconclusive and never throws if the inquiry itself fails', async () => {
      const { transactionId, request, charge } = await bench.createCharge();
      for (const fault of [
        { status: 500 },
        { status: 401 },
        { truncate: true },
        { drop: 'after' },
      ] as const) {
        await bench.gateway.injectFault(transactionId, fault, 'inquiry');
        expect((await bench.inquire(request.reference, charge.gatewayTransactionId)).kind).toBe(
          'inconclusive',
        );
      }
    });

    it('never returns the charge of another payment', async () => {
      const { charge } = await bench.createCharge();
      const { request } = bench.newPayment();
      const result = await bench.inquire(request.reference, charge.gatewayTransactionId);
      expect(result.kind).toBe(absent);
    });
  });
}
