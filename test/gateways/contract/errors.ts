import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import type { GatewayErrorFamily } from '../../../src/gateways/errors';
import { expectFamily, SHORT_TIMEOUT_MS, type ContractBench, type Trouble } from './bench';
import { operationsOf } from './operations';

/** One trouble or two for each family that an answer, or the lack of one, can stand for. */
const FAMILIES: ReadonlyArray<[Trouble, GatewayErrorFamily]> = [
  [{ status: 422 }, 'invalid_request'],
  [{ status: 401 }, 'bad_credentials'],
  [{ status: 429 }, 'rate_limited'],
  [{ status: 503 }, 'ambiguous'],
  [{ truncate: true }, 'ambiguous'],
  [{ drop: 'before' }, 'ambiguous'],
];

export function describeErrors(bench: ContractBench): void {
  describe('errors', () => {
    it.each<[Trouble, GatewayErrorFamily]>([
      [{ status: 400 }, 'invalid_request'],
      [{ status: 403 }, 'bad_credentials'],
      [{ status: 409 }, 'ambiguous'],
      [{ status: 408 }, 'ambiguous'],
      [{ status: 500 }, 'ambiguous'],
      [{ html: 502 }, 'ambiguous'],
      [{ html: 200 }, 'ambiguous'],
      [{ html: 404 }, 'ambiguous'],
      [{ truncate: true, drop: 'after' }, 'ambiguous'],
      [{ drop: 'after' }, 'ambiguous'],
      [{ duplicate_id: true }, 'ambiguous'],
    ])('%j is %s', async (trouble, family) => {
      await bench.charged();
      const { transactionId, request } = bench.payment();
      await bench.gateway.causeTrouble(transactionId, trouble);
      await expectFamily(bench.driver.charge(bench.context(), request), family);
    });

    describe.each([...operationsOf(bench)])('of $name', (operation) => {
      it.each(FAMILIES)('%j is %s', async (trouble, family) => {
        const { transactionId, send } = await operation.prepare();
        await bench.gateway.causeTrouble(transactionId, trouble, operation.operation);
        await expectFamily(send(bench.context()), family);
      });

      it('is not sent when the gateway cannot be reached, or too late', async () => {
        const { transactionId, send } = await operation.prepare();
        const requests = await bench.gateway.requestCount(transactionId);
        await expectFamily(send(bench.context({ baseUrl: 'http://127.0.0.1:1' })), 'not_sent');
        await expectFamily(send(bench.context({ sendBefore: Date.now() - 1 })), 'not_sent');
        expect(await bench.gateway.requestCount(transactionId)).toBe(requests);
      });
    });

    it.each<Trouble>([{ hang: 'before' }, { hang: 'after' }, { delay_ms: 2 * SHORT_TIMEOUT_MS }])(
      'a call that times out after %j is ambiguous',
      async (trouble) => {
        const { transactionId, request } = bench.payment();
        await bench.gateway.causeTrouble(transactionId, trouble);
        const ctx = bench.context({ timeoutMs: SHORT_TIMEOUT_MS });
        await expectFamily(bench.driver.charge(ctx, request), 'ambiguous');
      },
    );

    it('says bad credentials for a secret the gateway does not accept, and charges nothing', async () => {
      const { transactionId, request } = bench.payment();
      const ctx = bench.context({ secretKey: bench.gateway.badSecret });
      await expectFamily(bench.driver.charge(ctx, request), 'bad_credentials');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    });

    it('says not sent for a name that does not resolve', async () => {
      const { request } = bench.payment();
      const ctx = bench.context({ baseUrl: 'http://gateway.invalid' });
      await expectFamily(bench.driver.charge(ctx, request), 'not_sent');
    });

    it('sends nothing once the send window has passed', async () => {
      const { transactionId, request } = bench.payment();
      const ctx = bench.context({ sendBefore: Date.now() - 1 });
      await expect(bench.driver.charge(ctx, request)).rejects.toMatchObject({
        family: 'not_sent',
        code: NOT_SENT_LOCALLY,
      });
      expect(await bench.gateway.requestCount(transactionId)).toBe(0);
    });

    it('puts neither the card, nor the secret, nor the customer into an error', async () => {
      const { transactionId, request } = bench.payment();
      await bench.gateway.causeTrouble(transactionId, { status: 422 });
      const error = await bench.driver.charge(bench.context(), request).catch((thrown: unknown) => thrown);
      const text = `${String(error)} ${JSON.stringify(error)}`;
      for (const secret of [bench.gateway.approvedCard, bench.gateway.goodSecret, 'Ana', '52998224725']) {
        expect(text).not.toContain(secret);
      }
    });
  });
}
