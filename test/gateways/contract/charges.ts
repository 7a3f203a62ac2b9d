import { declineRule } from '../../../src/domain/payments/decline';
import type { PaymentMethod } from '../../../src/domain/payments/payment';
import { AMOUNT, expectFamily, found, type ContractBench } from './bench';

const METHODS: readonly PaymentMethod[] = ['card', 'pix', 'billet'];

export function describeCharges(bench: ContractBench): void {
  describe('charges', () => {
    it('approves a charge with its own id, amount and authorization code', async () => {
      const { transactionId, charge } = await bench.charged();
      expect(charge).toMatchObject({ kind: 'approved', amountCents: AMOUNT, responseCode: '00' });
      expect(charge.gatewayTransactionId).not.toBe('');
      expect(charge.authorizationCode).toMatch(/^\w{6}$/);
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
    });

    it('charges a saved card, which has no CVV', async () => {
      const { request } = bench.payment({ card: { ...bench.card(), cvv: null } });
      expect(await bench.driver.charge(bench.context(), request)).toMatchObject({ kind: 'approved' });
    });

    it('tells every decline as a value, with its code and class', async () => {
      for (const [code, number] of Object.entries(bench.gateway.declinedCards)) {
        const { transactionId, request } = bench.payment({ card: bench.card(number) });
        const outcome = await bench.driver.charge(bench.context(), request);
        expect(outcome).toMatchObject({ kind: 'declined', code, class: declineRule(code).class });
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
      }
    });

    it('tells the network’s advice with a decline, at once and when it is asked', async () => {
      for (const [adviceCode, number] of Object.entries(bench.gateway.advisedCards)) {
        const { request } = bench.payment({ card: { ...bench.card(number), brand: 'mastercard' } });
        const outcome = await bench.driver.charge(bench.context(), request);
        expect(outcome).toMatchObject({ kind: 'declined', adviceCode });
        expect(found(await bench.inquire(request.reference, outcome.gatewayTransactionId))).toMatchObject({
          kind: 'declined',
          adviceCode,
        });
      }
    });

    it('tells no advice where the network gave none', async () => {
      const [number] = Object.values(bench.gateway.declinedCards);
      const { request } = bench.payment({ card: bench.card(number) });
      expect(await bench.driver.charge(bench.context(), request)).toMatchObject({ adviceCode: null });
    });

    it('says of a charge on a card on file that it is one, and which of its series', async () => {
      const card = { ...bench.card(), cvv: null };
      const told: string[] = [];
      let networkTransactionId: string | null = null;
      for (const sequence of ['first', 'subsequent'] as const) {
        const recurring = { initiatedBy: 'merchant', sequence, networkTransactionId } as const;
        const { transactionId, charge } = await bench.charged({ card, recurring });
        expect(charge).toMatchObject({ kind: 'approved', networkTransactionId: expect.any(String) });
        const [request, ...more] = await bench.gateway.recurringTold(transactionId);
        expect(more).toEqual([]);
        told.push(JSON.stringify(request));
        networkTransactionId ??= charge.networkTransactionId;
      }
      expect(new Set(told).size).toBe(2);
      expect(told[1]).toContain(networkTransactionId);
    });

    it('says nothing of the kind of a charge that the customer makes', async () => {
      const { transactionId } = await bench.charged();
      expect(await bench.gateway.recurringTold(transactionId)).toEqual([]);
    });

    for (const method of METHODS.filter((one) => !bench.can.methods.includes(one))) {
      it(`refuses ${method}, which it does not take, before anything is sent`, async () => {
        const { transactionId, request } = bench.payment({}, method);
        await expectFamily(bench.driver.charge(bench.context(), request), 'unsupported');
        expect(await bench.gateway.requestCount(transactionId)).toBe(0);
      });
    }
  });
}
