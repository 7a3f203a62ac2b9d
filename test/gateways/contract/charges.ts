import { declineRule } from '../../../src/domain/decline';
import type { PaymentMethod } from '../../../src/domain/payment';
import { AMOUNT, expectFamily, type ContractBench } from './bench';

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

    for (const method of METHODS.filter((one) => !bench.can.methods.includes(one))) {
      it(`refuses ${method}, which it does not take, before anything is sent`, async () => {
        const { transactionId, request } = bench.payment({}, method);
        await expectFamily(bench.driver.charge(bench.context(), request), 'unsupported');
        expect(await bench.gateway.requestCount(transactionId)).toBe(0);
      });
    }
  });
}
