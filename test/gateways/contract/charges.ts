import type { PaymentMethod } from '../../../src/domain/payments/payment';
import { AMOUNT, expectFamily, requireFound, type ContractBench } from './bench';

const METHODS: readonly PaymentMethod[] = ['card', 'pix', 'billet'];

export function describeCharges(bench: ContractBench): void {
  describe('charges', () => {
    it('approves a charge with an id, the amount and an authorization code', async () => {
      const { transactionId, charge } = await bench.createCharge();
      expect(charge).toMatchObject({ kind: 'approved', amountCents: AMOUNT, responseCode: '00' });
      expect(charge.gatewayTransactionId).not.toBe('');
      expect(charge.authorizationCode).toMatch(/^\w{6}$/);
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
    });

    it('charges a saved card without a CVV', async () => {
      const { request } = bench.newPayment({ card: { ...bench.card(), cvv: null } });
      expect(await bench.driver.charge(bench.context(), request)).toMatchObject({ kind: 'approved' });
    });

    it('returns every decline as a value with its code', async () => {
      for (const [code, number] of Object.entries(bench.gateway.declinedCards)) {
        const { transactionId, request } = bench.newPayment({ card: bench.card(number) });
        const outcome = await bench.driver.charge(bench.context(), request);
        expect(outcome).toMatchObject({ kind: 'declined', code });
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
      }
    });

    it('returns a decline without a code with a class and the gateway’s word, and an inquiry returns the same', async () => {
      for (const [declineClass, number] of Object.entries(bench.gateway.cardsDeclinedWithoutCode ?? {})) {
        const { request } = bench.newPayment({ card: bench.card(number) });
        const outcome = await bench.driver.charge(bench.context(), request);
        expect(outcome).toMatchObject({ kind: 'declined', code: null, declineClass });
        if (outcome.kind === 'declined') expect(outcome.message).toMatch(/\w/);
        const found = requireFound(await bench.inquire(request.reference, outcome.gatewayTransactionId));
        expect(found).toEqual(outcome);
      }
    });

    it('returns the advice code of a decline, in the response and in an inquiry', async () => {
      for (const [adviceCode, number] of Object.entries(bench.gateway.advisedCards)) {
        const { request } = bench.newPayment({ card: { ...bench.card(number), brand: 'mastercard' } });
        const outcome = await bench.driver.charge(bench.context(), request);
        expect(outcome).toMatchObject({ kind: 'declined', adviceCode });
        expect(
          requireFound(await bench.inquire(request.reference, outcome.gatewayTransactionId)),
        ).toMatchObject({
          kind: 'declined',
          adviceCode,
        });
      }
    });

    it('returns no advice code if the network sent none', async () => {
      const [number] = Object.values(bench.gateway.declinedCards);
      const { request } = bench.newPayment({ card: bench.card(number) });
      expect(await bench.driver.charge(bench.context(), request)).toMatchObject({ adviceCode: null });
    });

    it('sends the stored credential data of a merchant-initiated charge', async () => {
      const card = { ...bench.card(), cvv: null };
      const received: string[] = [];
      let networkTransactionId: string | null = null;
      for (const sequence of ['first', 'subsequent'] as const) {
        const recurring = { initiatedBy: 'merchant', sequence, networkTransactionId } as const;
        const { transactionId, charge } = await bench.createCharge({ card, recurring });
        expect(charge).toMatchObject({ kind: 'approved', networkTransactionId: expect.any(String) });
        const [request, ...more] = await bench.gateway.receivedRecurring(transactionId);
        expect(more).toEqual([]);
        received.push(JSON.stringify(request));
        networkTransactionId ??= charge.networkTransactionId;
      }
      expect(new Set(received).size).toBe(2);
      expect(received[1]).toContain(networkTransactionId);
    });

    it('sends no stored credential data for a customer-initiated charge', async () => {
      const { transactionId } = await bench.createCharge();
      expect(await bench.gateway.receivedRecurring(transactionId)).toEqual([]);
    });

    for (const method of METHODS.filter((one) => !bench.capabilities.methods.includes(one))) {
      it(`rejects the unsupported method ${method} before a request is sent`, async () => {
        const { transactionId, request } = bench.newPayment({}, method);
        await expectFamily(bench.driver.charge(bench.context(), request), 'unsupported');
        expect(await bench.gateway.requestCount(transactionId)).toBe(0);
      });
    }
  });
}
