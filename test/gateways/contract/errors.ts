import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import { expectFamily, SHORT_TIMEOUT_MS, type ContractBench } from './bench';
import type { GatewayFault } from './gateway-under-test';
import { operationsOf } from './operations';

/** Half an answer, half the gateway's own error, and no answer. */
const LOST_ANSWERS: readonly GatewayFault[] = [
  { truncate: true },
  { truncate: true, status: 422 },
  { drop: 'before' },
];

export function describeErrors(bench: ContractBench): void {
  describe('errors', () => {
    it.each<GatewayFault>([{ truncate: true, drop: 'after' }, { drop: 'after' }, { duplicate_id: true }])(
      'a charge after the fault %j is ambiguous',
      async (fault) => {
        await bench.createCharge();
        const { transactionId, request } = bench.newPayment();
        await bench.gateway.injectFault(transactionId, fault);
        await expectFamily(bench.driver.charge(bench.context(), request), 'ambiguous');
      },
    );

    describe.each([...operationsOf(bench)])('for $name', (operation) => {
      it.each(LOST_ANSWERS)('%j is ambiguous', async (fault) => {
        const { transactionId, send } = await operation.prepare();
        await bench.gateway.injectFault(transactionId, fault, operation.operation);
        await expectFamily(send(bench.context()), 'ambiguous');
      });

      it('are not_sent if the gateway is unreachable or the send window has passed', async () => {
        const { transactionId, send } = await operation.prepare();
        const requests = await bench.gateway.requestCount(transactionId);
        await expectFamily(send(bench.contextAt('http://127.0.0.1:1')), 'not_sent');
        await expectFamily(send(bench.context({ sendBefore: Date.now() - 1 })), 'not_sent');
        expect(await bench.gateway.requestCount(transactionId)).toBe(requests);
      });
    });

    it.each<GatewayFault>([{ hang: 'before' }, { hang: 'after' }, { delay_ms: 2 * SHORT_TIMEOUT_MS }])(
      'a call that times out after %j is ambiguous',
      async (fault) => {
        const { transactionId, request } = bench.newPayment();
        await bench.gateway.injectFault(transactionId, fault);
        const ctx = bench.context({}, SHORT_TIMEOUT_MS);
        await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
      },
    );

    it('an invalid secret key is bad_credentials, and nothing is charged', async () => {
      const { transactionId, request } = bench.newPayment();
      const ctx = bench.context({ secretKey: bench.gateway.badSecret });
      await expectFamily(bench.driver.charge(ctx, request), 'bad_credentials');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('an invalid secret key makes an inquiry inconclusive, and names the credentials as the cause', async () => {
      if (!bench.answersInquiries) return;
      const { charge, request } = await bench.createCharge();
      const subject = {
        reference: request.reference,
        gatewayTransactionId: charge.gatewayTransactionId,
        sentAt: new Date(),
      };
      const ctx = bench.context({ secretKey: bench.gateway.badSecret });
      expect(await bench.driver.inquire(ctx, subject)).toMatchObject({
        kind: 'inconclusive',
        credentialsRejected: true,
      });
      const unreached = await bench.driver.inquire(bench.contextAt('http://127.0.0.1:1'), subject);
      expect(unreached).toMatchObject({ kind: 'inconclusive' });
      expect(unreached).not.toMatchObject({ credentialsRejected: true });
    });

    it('credentials are verified without moving money: bad ones are bad_credentials, an unreachable gateway is not', async () => {
      const { driver } = bench;
      if (driver.verifyCredentials === undefined) return;
      await driver.verifyCredentials(bench.context());
      const bad = bench.context({ secretKey: bench.gateway.badSecret });
      await expectFamily(driver.verifyCredentials(bad), 'bad_credentials');
      const unreachable = bench.contextAt('http://127.0.0.1:1');
      await expectFamily(driver.verifyCredentials(unreachable), 'not_sent');
    });

    it('a host name that does not resolve is not_sent', async () => {
      const { request } = bench.newPayment();
      const ctx = bench.contextAt('http://gateway.invalid');
      await expectFamily(bench.driver.charge(ctx, request), 'not_sent');
    });

    it('nothing is sent after the send window has passed', async () => {
      const { transactionId, request } = bench.newPayment();
      const ctx = bench.context({ sendBefore: Date.now() - 1 });
      await expect(bench.driver.charge(ctx, request)).rejects.toMatchObject({
        family: 'not_sent',
        code: NOT_SENT_LOCALLY,
      });
      expect(await bench.gateway.requestCount(transactionId)).toBe(0);
    });

    it('an error contains no card, customer or secret key', async () => {
      const { transactionId, request } = bench.newPayment();
      await bench.gateway.injectFault(transactionId, { status: 422 });
      const error = await bench.driver.charge(bench.context(), request).catch((thrown: unknown) => thrown);
      const text = `${String(error)} ${JSON.stringify(error)}`;
      for (const secret of [bench.gateway.approvedCard, bench.gateway.goodSecret, 'Ana', '52998224725']) {
        expect(text).not.toContain(secret);
      }
    });
  });
}
