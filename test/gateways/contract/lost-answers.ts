import { waitFor } from '../../support/stack/wait-for';
import { AMOUNT, expectFamily, found, type ContractBench } from './bench';
import { operationsOf } from './operations';

/** What is left of a request whose answer never came, by how the gateway helps to learn of it. */
export function describeLostAnswers(bench: ContractBench): void {
  describe('a lost answer', () => {
    describe.each([...operationsOf(bench)])('to $name', (operation) => {
      const lose = async (moment: 'before' | 'after') => {
        const ready = await operation.prepare();
        await bench.gateway.causeTrouble(ready.transactionId, { drop: moment }, operation.operation);
        const ctx = bench.context();
        await expectFamily(ready.send(ctx), 'ambiguous');
        // A charge is asked about by our reference alone; what follows it, by the id of the charge too.
        const inquired = await bench.inquire(ready.reference, ready.chargeId);
        return { ...ready, ctx, inquired, canTell: bench.looksUp || ready.chargeId !== null };
      };

      it('is learned by an inquiry, or stays unknown, but is never called absent', async () => {
        const { inquired, canTell } = await lose('after');
        if (canTell) expect(found(inquired)).toMatchObject(operation.result);
        else expect(inquired.kind).toBe('inconclusive');
      });

      it('of a request that never arrived is absent, or stays unknown', async () => {
        const { inquired, canTell } = await lose('before');
        expect(inquired.kind).toBe(canTell ? 'not_found' : 'inconclusive');
      });

      if (bench.replaysKeys) {
        it('is given again for the same key, and nothing happens twice', async () => {
          const { transactionId, ctx, send } = await lose('after');
          const moved = await bench.gateway.netCapturedCents(transactionId);
          const replayed = await send(ctx);
          expect(replayed).toMatchObject(operation.result);
          expect(await send(ctx)).toEqual(replayed);
          expect(await bench.gateway.netCapturedCents(transactionId)).toBe(moved);
        });
      }
    });
  });

  describe('a repeated key', bench.replaysKeys ? () => replayedKey(bench) : () => ignoredKey(bench));
}

function replayedKey(bench: ContractBench): void {
  it('gives a decline again too', async () => {
    const [number] = Object.values(bench.gateway.declinedCards);
    const { request } = bench.payment({ card: bench.card(number) });
    const ctx = bench.context();
    const declined = await bench.driver.charge(ctx, request);
    expect(await bench.driver.charge(ctx, request)).toEqual(declined);
  });

  it('that meets its own unfinished request is ambiguous', async () => {
    const { transactionId, request } = bench.payment();
    await bench.gateway.causeTrouble(transactionId, { delay_ms: 500 });
    const ctx = bench.context();
    const first = bench.driver.charge(ctx, request);
    await waitFor(async () => (await bench.gateway.requestCount(transactionId)) === 1);
    await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
    expect((await first).kind).toBe('approved');
    expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
  });

  it('cannot be used for another request', async () => {
    const { request } = bench.payment();
    const ctx = bench.context();
    await bench.driver.charge(ctx, request);
    const other = { ...request, amountCents: AMOUNT + 1 };
    await expectFamily(bench.driver.charge(ctx, other), 'invalid_request');
  });
}

function ignoredKey(bench: ContractBench): void {
  it('charges twice, which is why an engine must not send twice', async () => {
    const { transactionId, request } = bench.payment();
    const ctx = bench.context();
    await bench.driver.charge(ctx, request);
    await bench.driver.charge(ctx, request);
    expect(await bench.gateway.netCapturedCents(transactionId)).toBe(2 * AMOUNT);
    expect((await bench.inquire(request.reference)).kind).toBe('inconclusive');
  });
}
