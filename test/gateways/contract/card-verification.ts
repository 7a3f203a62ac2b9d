import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../../src/gateways/errors';
import type { CardVerificationRequest, Declined, VerifiedCard } from '../../../src/gateways/gateway';
import { expectFamily, type ContractBench } from './bench';

export function describeCardVerification(bench: ContractBench): void {
  describe('the verification of a card', () => {
    if (bench.capabilities.verifiesCards) {
      it('verifies a card without money, and returns its network ids if the gateway tells any', async () => {
        const { transactionId, request } = newVerification(bench);
        const verified = await verifyCard(bench, request);
        const { returnsIdsOfVerifiedCards = true } = bench.gateway;
        const networkIds = returnsIdsOfVerifiedCards ? { transactionId: expect.stringMatching(/./) } : null;
        expect(verified).toMatchObject({ kind: 'verified', networkIds });
        expect(await bench.gateway.receivedInitiations(transactionId)).toHaveLength(1);
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
      });

      it('returns the decline of a verification as a value with its code', async () => {
        for (const [code, number] of Object.entries(bench.gateway.declinedCards)) {
          const { request } = newVerification(bench, number);
          expect(await verifyCard(bench, request)).toMatchObject({ kind: 'declined', code });
        }
      });

      it('does not know the result of a verification whose answer is lost or not the gateway’s own', async () => {
        for (const fault of [{ drop: 'after' }, { html: 200 }, { truncate: true }] as const) {
          const { transactionId, request } = newVerification(bench);
          await bench.gateway.injectFault(transactionId, fault);
          await expectFamily(verifyCard(bench, request), 'ambiguous');
        }
      });
    } else {
      it('rejects the verification of a card before a request is sent', async () => {
        const { transactionId, request } = newVerification(bench);
        await expectFamily(verifyCard(bench, request), 'unsupported');
        expect(await bench.gateway.requestCount(transactionId)).toBe(0);
      });
    }
  });
}

function newVerification(
  bench: ContractBench,
  number?: string,
): { transactionId: string; request: CardVerificationRequest } {
  const reference = randomUUID();
  const { request } = bench.newPayment();
  const { currency, customer, billingAddress } = request;
  const initiation = { initiator: 'customer', reason: 'first_saved' } as const;
  const card = bench.card(number);
  return {
    transactionId: reference,
    request: { reference, currency, customer, billingAddress, card, initiation },
  };
}

/** A driver that verifies no cards may omit the method. */
async function verifyCard(
  bench: ContractBench,
  request: CardVerificationRequest,
): Promise<VerifiedCard | Declined> {
  const { driver } = bench;
  if (driver.verifyCard === undefined) throw new GatewayError('unsupported', 'the driver verifies no cards');
  return driver.verifyCard(bench.context(), request);
}
