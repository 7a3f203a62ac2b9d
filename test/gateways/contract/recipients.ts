import { randomUUID } from 'node:crypto';
import type { Recipient } from '../../../src/gateways/gateway';
import { AMOUNT, expectFamily, type ContractBench } from './bench';

/** Sub-accounts, where a gateway has them. */
export function describeRecipients(bench: ContractBench): void {
  const find = (reference: string): Promise<Recipient | null> => {
    const { findRecipient } = bench.driver;
    if (findRecipient === undefined) throw new Error('a driver with sub-accounts finds recipients');
    return findRecipient.call(bench.driver, bench.context(), reference);
  };

  describe('recipients', () => {
    it.each(['active', 'pending', 'refused'] as const)('are made %s, and found', async (status) => {
      const reference = randomUUID();
      expect(await find(reference)).toBeNull();
      const made = await bench.recipient(reference, bench.gateway.documents[status]);
      expect(made.status).toBe(status);
      expect(await find(reference)).toEqual(made);
    });

    it.each(['active', 'refused'] as const)('that were pending are found %s later', async (status) => {
      const reference = randomUUID();
      const made = await bench.recipient(reference, bench.gateway.documents.pending);
      await bench.gateway.decideRecipient(made.recipientId, status);
      expect(await find(reference)).toMatchObject({ recipientId: made.recipientId, status });
    });

    it('whose answer was lost are found', async () => {
      const reference = randomUUID();
      await bench.gateway.causeTrouble(reference, { drop: 'after' }, 'recipient');
      const ctx = bench.context();
      await expectFamily(bench.recipient(reference, bench.gateway.documents.active, ctx), 'ambiguous');
      const made = await find(reference);
      expect(made?.status).toBe('active');
      if (!bench.replaysKeys) return;
      expect(await bench.recipient(reference, bench.gateway.documents.active, ctx)).toEqual(made);
    });

    it('fail in the families of every other call', async () => {
      const reference = randomUUID();
      const { active } = bench.gateway.documents;
      await bench.gateway.causeTrouble(reference, { status: 422 }, 'recipient');
      await expectFamily(bench.recipient(reference, active), 'invalid_request');
      await bench.gateway.causeTrouble(reference, { status: 500 }, 'inquiry');
      await expectFamily(find(reference), 'ambiguous');
      const unknown = bench.context({ secretKey: bench.gateway.badSecret });
      await expectFamily(bench.recipient(reference, active, unknown), 'bad_credentials');
      const unreachable = bench.context({ baseUrl: 'http://127.0.0.1:1' });
      await expectFamily(bench.recipient(reference, active, unreachable), 'not_sent');
    });
  });
}

/** Parts of charges, captures and refunds, in exact cents. */
export function describeSplits(bench: ContractBench): void {
  describe('splits', () => {
    const { driver } = bench;

    it('share a charge, and are refused when they do not sum up or name a stranger', async () => {
      const whole = await bench.part(AMOUNT);
      await bench.charged({ splits: [whole] });
      for (const wrong of [
        { ...whole, amountCents: AMOUNT - 1 },
        { ...whole, recipientId: randomUUID() },
      ]) {
        const { transactionId, request } = bench.payment({ splits: [wrong] });
        await expectFamily(driver.charge(bench.context(), request), 'invalid_request');
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
      }
    });

    it('are shared anew when a part is refunded', async () => {
      const [first, second] = [await bench.part(AMOUNT - 990), await bench.part(990)];
      const { transactionId, charge } = await bench.charged({ splits: [first, second] });
      const refund = (nth: number, amountCents: number, parts: readonly [number, number]) =>
        driver.refund(
          bench.context(),
          bench.followUp(charge, `${transactionId}-1-refund-${nth}`, {
            amountCents,
            splits: [
              { ...first, amountCents: parts[0] },
              { ...second, amountCents: parts[1] },
            ],
          }),
        );
      expect(await refund(1, 1_000, [924, 76])).toMatchObject({ kind: 'refunded', amountCents: 1_000 });
      await expectFamily(refund(2, 1_000, [924, 75]), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT - 1_000);
    });

    if (bench.can.authorizeOnly) {
      it('are shared anew when a part is captured', async () => {
        const part = await bench.part(AMOUNT);
        const capture = async (amountCents: number, shared: number) => {
          const { transactionId, charge } = await bench.authorized({ splits: [part] });
          const splits = [{ ...part, amountCents: shared }];
          const reference = `${transactionId}-1-capture`;
          return driver.capture(bench.context(), bench.followUp(charge, reference, { amountCents, splits }));
        };
        expect(await capture(5_000, 5_000)).toMatchObject({ kind: 'approved', amountCents: 5_000 });
        await expectFamily(capture(5_000, 4_999), 'invalid_request');
      });
    }
  });
}
