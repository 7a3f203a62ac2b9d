import type { RawCallback } from '../../../src/gateways/gateway';
import { waitFor } from '../../support/stack/wait-for';
import { AMOUNT, type Charged, type ContractBench } from './bench';

const HOUR_MS = 60 * 60 * 1000;

/** What gateways tell on their own. Nothing of it is believed: a callback says only which charge to ask about. */
export function describeCallbacks(bench: ContractBench): void {
  const { driver } = bench;
  const callbackAfter = async (charge: Charged): Promise<RawCallback> => {
    const callbacks = () => bench.gateway.callbacks(charge.transactionId);
    return waitFor(async () => (await callbacks()).at(-1), { what: 'a callback' });
  };
  const refunded = async (): Promise<Charged> => {
    const charged = await bench.charged();
    const refund = bench.followUp(charged.charge, `${charged.transactionId}-1-refund`);
    await bench.driver.refund(bench.context(), refund);
    return charged;
  };

  describe('callbacks', () => {
    it('name the charge by our reference, and are signed', async () => {
      const charged = await refunded();
      const callback = await callbackAfter(charged);
      const hint = driver.readCallback(callback);
      expect(hint).toMatchObject({ kind: 'status', reference: charged.request.reference });
      expect(hint?.eventId).not.toBe('');
      const secrets = ['another secret', bench.gateway.webhookSecret];
      expect(driver.verifyCallback(callback, secrets, new Date())).toBe('valid');
    });

    it('tell a payment, and a dispute as a chargeback', async () => {
      if (bench.can.methods.includes('pix')) {
        const paid = await bench.paid('pix');
        expect(driver.readCallback(await callbackAfter(paid))).toMatchObject({ kind: 'status' });
      }
      const charged = await bench.charged();
      await bench.gateway.dispute(charged.transactionId);
      const hint = driver.readCallback(await callbackAfter(charged));
      expect(hint).toMatchObject({ kind: 'chargeback', reference: charged.request.reference });
    });

    it('are invalid when another secret, another body or another time made the signature', async () => {
      const callback = await callbackAfter(await refunded());
      const secrets = [bench.gateway.webhookSecret];
      const now = Date.now();
      const changed = { ...callback, body: Buffer.from(callback.body.toString().replace(`${AMOUNT}`, '1')) };
      expect(changed.body.equals(callback.body)).toBe(false);
      expect(driver.verifyCallback(callback, ['another secret'], new Date(now))).toBe('invalid');
      expect(driver.verifyCallback(changed, secrets, new Date(now))).toBe('invalid');
      expect(driver.verifyCallback(callback, secrets, new Date(now + HOUR_MS))).toBe('invalid');
      expect(driver.verifyCallback(callback, secrets, new Date(now - HOUR_MS))).toBe('invalid');
    });

    it('are unsigned without a signature, or where no secret is known', async () => {
      const callback = await callbackAfter(await refunded());
      const secrets = [bench.gateway.webhookSecret];
      expect(driver.verifyCallback({ ...callback, headers: {} }, secrets, new Date())).toBe('unsigned');
      expect(driver.verifyCallback(callback, [], new Date())).toBe('unsigned');
    });

    it.each(['', 'not json', '[]', '{}', '{"id": 1}', '\u0000\uffff'])('that say %j mean nothing', (text) => {
      expect(driver.readCallback({ body: Buffer.from(text), headers: {} })).toBeNull();
    });
  });
}
