import type { CallbackHint, RawCallback } from '../../../src/gateways/callback';
import { waitFor } from '../../support/stack/wait-for';
import { AMOUNT, type CreatedCharge, type ContractBench, waitForGateway } from './bench';

const HOUR_MS = 60 * 60 * 1000;

/** Callbacks of the gateway. The engine only uses them to decide which charge to inquire about. */
export function describeCallbacks(bench: ContractBench): void {
  const { driver } = bench;
  const callbackAfter = async (charge: CreatedCharge): Promise<RawCallback> => {
    const callbacks = () => bench.gateway.callbacks(charge.transactionId);
    return waitForGateway(async () => (await callbacks()).at(-1), 'a callback');
  };
  const hintIn = (callback: RawCallback): CallbackHint => {
    const reading = driver.readCallback(callback);
    const hint = reading.kind === 'hints' ? reading.hints[0] : undefined;
    if (hint === undefined) throw new Error(`the callback is ${reading.kind}`);
    return hint;
  };
  const hintsAfter = async ({ transactionId }: CreatedCharge): Promise<CallbackHint[]> =>
    (await bench.gateway.callbacks(transactionId)).map(hintIn);
  /** By our reference or that of its refund, by the gateway's id, or by both. */
  const expectNamed = ({ subject }: CallbackHint, { request, charge }: CreatedCharge): void => {
    expect([request.reference, `${request.reference}-refund`, null]).toContain(subject.reference);
    expect([charge.gatewayTransactionId, null]).toContain(subject.gatewayTransactionId);
  };
  const verify = (callback: RawCallback, secrets: readonly string[], now = new Date()) =>
    driver.verifyCallback(callback, hintIn(callback), secrets, now);
  const refunded = async (): Promise<CreatedCharge> => {
    const charged = await bench.createApproved();
    const refund = bench.followUp(charged.charge, `${charged.transactionId}-1-refund`);
    await bench.driver.refund(bench.context(), refund);
    return charged;
  };

  describe('callbacks', () => {
    it('name the charge and have a valid proof', async () => {
      const charged = await refunded();
      const callback = await callbackAfter(charged);
      const hint = hintIn(callback);
      expect(hint.kind).toBe('status');
      expectNamed(hint, charged);
      expect(hint.eventId).not.toBe('');
      const secrets = ['another secret', bench.gateway.webhookSecret];
      expect(verify(callback, secrets)).toBe('valid');
    });

    it('report a payment as a status and a dispute as a chargeback', async () => {
      if (bench.capabilities.methods.includes('pix')) {
        const paid = await bench.createPaid('pix');
        expect(hintIn(await callbackAfter(paid))).toMatchObject({ kind: 'status' });
      }
      const charged = await bench.createApproved();
      await bench.gateway.dispute(charged.transactionId);
      const hint = await waitFor(
        async () => (await hintsAfter(charged)).find(({ kind }) => kind === 'chargeback'),
        { what: 'a chargeback' },
      );
      expectNamed(hint, charged);
    });

    it('are invalid with another secret, and with a changed body or an old time if the proof covers them', async () => {
      const callback = await callbackAfter(await refunded());
      const secrets = [bench.gateway.webhookSecret];
      const now = Date.now();
      const { coversBody, coversTime } = driver.callbackProof;
      expect(verify(callback, ['another secret'])).toBe('invalid');
      if (coversTime) {
        expect(verify(callback, secrets, new Date(now + HOUR_MS))).toBe('invalid');
        expect(verify(callback, secrets, new Date(now - HOUR_MS))).toBe('invalid');
      }
      if (!coversBody) return;
      const changed = { ...callback, body: Buffer.from(callback.body.toString().replace(`${AMOUNT}`, '1')) };
      expect(changed.body.equals(callback.body)).toBe(false);
      expect(verify(changed, secrets)).toBe('invalid');
    });

    it('are unsigned without a signature or without a known secret', async () => {
      const callback = await callbackAfter(await refunded());
      const secrets = [bench.gateway.webhookSecret];
      const { unsigned = (raw: RawCallback) => ({ ...raw, headers: {} }) } = bench.gateway;
      expect(verify(unsigned(callback), secrets)).toBe('unsigned');
      expect(verify(callback, [])).toBe('unsigned');
    });

    it.each(['', 'not json', '[]', '{}', '{"id": 1}', '\u0000\uffff'])(
      'with the unreadable body %j are ignored',
      (text) => {
        const reading = driver.readCallback({ body: Buffer.from(text), headers: {}, query: '' });
        expect(reading).toEqual({ kind: 'unreadable' });
      },
    );
  });
}
