import { randomUUID } from 'node:crypto';
import type { GatewayContext, Recipient } from '../../../src/gateways/gateway';
import { AMOUNT, expectFamily, type ContractBench } from './bench';

/** Sub-accounts and the parts of charges that go to them, where a gateway has both. */
export function describeRecipients(bench: ContractBench): void {
  describe('splits and recipients', () => {
    const information = (document: string) => ({
      name: 'Loja da Ana',
      email: 'loja@example.com',
      document,
      type: 'individual' as const,
    });
    const create = (
      reference: string,
      document: string,
      ctx: GatewayContext = bench.context(),
    ): Promise<Recipient> =>
      required(bench.driver.createRecipient).call(bench.driver, ctx, reference, information(document));
    const find = (reference: string): Promise<Recipient | null> =>
      required(bench.driver.findRecipient).call(bench.driver, bench.context(), reference);

    it.each(['active', 'pending', 'refused'] as const)(
      'makes a recipient that is %s, and finds it',
      async (status) => {
        const reference = randomUUID();
        expect(await find(reference)).toBeNull();
        const made = await create(reference, bench.gateway.documents[status]);
        expect(made.status).toBe(status);
        expect(await find(reference)).toEqual(made);
      },
    );

    it('finds the recipient whose answer was lost', async () => {
      const reference = randomUUID();
      await bench.gateway.causeTrouble(reference, { drop: 'after' }, 'recipient');
      const ctx = bench.context();
      await expectFamily(create(reference, bench.gateway.documents.active, ctx), 'ambiguous');
      const made = await find(reference);
      expect(made?.status).toBe('active');
      if (!bench.replaysKeys) return;
      expect(await create(reference, bench.gateway.documents.active, ctx)).toEqual(made);
    });

    it('splits a charge among recipients, and refuses parts that do not sum up', async () => {
      const made = await create(randomUUID(), bench.gateway.documents.active);
      const part = { recipientId: made.recipientId, liable: true, chargeProcessingFee: true };
      const whole = bench.payment({ splits: [{ ...part, amountCents: AMOUNT }] });
      expect(await bench.driver.charge(bench.context(), whole.request)).toMatchObject({ kind: 'approved' });
      const short = bench.payment({ splits: [{ ...part, amountCents: AMOUNT - 1 }] });
      await expectFamily(bench.driver.charge(bench.context(), short.request), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(short.transactionId)).toBe(0);
    });
  });
}

function required<T>(method: T | undefined): T {
  if (method === undefined) throw new Error('a driver with sub-accounts makes and finds recipients');
  return method;
}
