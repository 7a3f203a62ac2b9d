import { waitFor } from '../../support/stack/wait-for';
import { AMOUNT, expectFamily, requireFound, type ContractBench } from './bench';
import { isHidden, operationsOf, type ContractOperation } from './operations';

/** Recovery from a lost response, by inquiry or by replay of the idempotency key. */
export function describeLostAnswers(bench: ContractBench): void {
  describe('a lost response', () => {
    describe.each([...operationsOf(bench)])('to $name', (operation) => {
      const lose = async (moment: 'before' | 'after') => {
        const ready = await operation.prepare();
        await bench.gateway.injectFault(ready.transactionId, { drop: moment }, operation.operation);
        const ctx = bench.context();
        await expectFamily(ready.send(ctx), 'ambiguous');
        // A charge can only be inquired by our reference; a follow-up also by the charge's id.
        const inquired = await bench.inquire(ready.reference, ready.chargeId);
        const isConclusive = bench.supportsLookup || (bench.answersInquiries && ready.chargeId !== null);
        return { ...ready, ctx, inquired, isConclusive };
      };

      it('of a committed request is found or inconclusive, never not_found', async () => {
        const { inquired, isConclusive } = await lose('after');
        if (isConclusive && !isHidden(bench, operation))
          expect(requireFound(inquired)).toMatchObject(operation.answer ?? operation.result);
        else expect(inquired.kind).toBe('inconclusive');
      });

      it('of a request that never arrived is not_found or inconclusive', async () => {
        const { inquired, isConclusive, chargeId } = await lose('before');
        // What is known of a charge may still prove that a follow-up on it did not arrive.
        const isProven = isConclusive && bench.provesAbsence && provesAbsenceOf(bench, operation);
        if (!bench.provesAbsence && chargeId !== null)
          expect(['not_found', 'inconclusive']).toContain(inquired.kind);
        else expect(inquired.kind).toBe(isProven ? 'not_found' : 'inconclusive');
      });

      if (bench.replaysKeys) {
        it('is returned again for the same key, or told by an inquiry, without a second effect', async () => {
          const { transactionId, reference, chargeId, ctx, send } = await lose('after');
          const captured = await bench.gateway.netCapturedCents(transactionId);
          if (bench.gateway.silentRepeats?.includes(operation.operation) === true) {
            await expectFamily(send(ctx), 'ambiguous');
            expect(requireFound(await bench.inquire(reference, chargeId))).toMatchObject(operation.result);
          } else {
            const replayed = await send(ctx);
            expect(replayed).toMatchObject(operation.answer ?? operation.result);
            expect(await send(ctx)).toEqual(replayed);
          }
          expect(await bench.gateway.netCapturedCents(transactionId)).toBe(captured);
        });
      }
    });
  });

  describe(
    'a repeated key',
    bench.replaysKeys ? () => describeReplayedKey(bench) : () => describeIgnoredKey(bench),
  );
}

function provesAbsenceOf({ gateway }: ContractBench, { operation, result }: ContractOperation): boolean {
  const isPart = operation === 'refund' && 'amountCents' in result && result.amountCents !== AMOUNT;
  return !isPart || gateway.provesPartialRefundAbsence !== false;
}

function describeReplayedKey(bench: ContractBench): void {
  it('returns a decline again', async () => {
    if (!bench.capabilities.methods.includes('card')) return;
    const [number] = bench.declinedCard();
    const { request } = bench.newPayment({ card: bench.card(number) });
    const ctx = bench.context();
    const declined = await bench.driver.charge(ctx, request);
    expect(await bench.driver.charge(ctx, request)).toEqual(declined);
  });

  it.each([...operationsOf(bench)])(
    'of $name is ambiguous while its first request is in progress, never a decline or an error that allows another gateway',
    async ({ operation, result, answer = result, prepare }) => {
      const { transactionId, send } = await prepare();
      const before = await bench.gateway.requestCount(transactionId);
      await bench.gateway.injectFault(transactionId, { delay_ms: 500 }, operation);
      const ctx = bench.context();
      const first = send(ctx);
      await waitFor(async () => (await bench.gateway.requestCount(transactionId)) > before);
      await expectFamily(send(ctx), 'ambiguous');
      expect(await first).toMatchObject(answer);
      const captured = await bench.gateway.netCapturedCents(transactionId);
      if (bench.gateway.silentRepeats?.includes(operation) !== true)
        expect(await send(ctx)).toMatchObject(answer);
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(captured);
    },
  );

  it('is refused for a different request, which has no effect', async () => {
    const { transactionId, request } = bench.newPayment();
    const ctx = bench.context();
    await bench.driver.charge(ctx, request);
    const other = { ...request, amountCents: AMOUNT + 1 };
    await expectFamily(bench.driver.charge(ctx, other), bench.gateway.reusedKey);
    expect(await bench.gateway.netCapturedCents(transactionId)).toBe(bench.created.capturedCents);
  });
}

function describeIgnoredKey(bench: ContractBench): void {
  it('charges twice if the gateway ignores keys, and once if our reference is its id', async () => {
    const { transactionId, request } = bench.newPayment();
    const ctx = bench.context();
    const first = await bench.driver.charge(ctx, request);
    const second = await bench.driver.charge(ctx, request);
    if (bench.gateway.referenceIsId === true) {
      expect(second).toEqual(first);
      expect(requireFound(await bench.inquire(request.reference))).toMatchObject({ kind: first.kind });
      return;
    }
    expect(await bench.gateway.netCapturedCents(transactionId)).toBe(2 * AMOUNT);
    expect((await bench.inquire(request.reference)).kind).toBe('inconclusive');
  });
}
