import type { GatewayErrorFamily } from '../../../src/domain/payments/gateway-error-family';
import type { Recipient } from '../../../src/gateways/gateway';
import { expectFamily, requireFound, type ContractBench } from './bench';
import type { ForeignAnswer } from './gateway-under-test';
import { isHidden, operationsOf, type ContractOperation } from './operations';

/** Statuses that a proxy, a firewall or a load balancer may send after the gateway has processed the request. */
const STATUSES = [200, 302, 400, 401, 403, 404, 408, 409, 410, 422, 429, 500, 502, 503] as const;
const BODIES = ['html', 'json', 'empty'] as const;

const answersWith = (body: (typeof BODIES)[number]): ForeignAnswer[] =>
  STATUSES.map((html) => ({ html, body }));

/** Answers that are not the gateway's own, and the gateway's own errors, with the same statuses. */
export function describeForeignAnswers(bench: ContractBench): void {
  describe('an answer that is not the gateway’s own', () => {
    describe.each([...operationsOf(bench)])('to $name', (operation) => {
      it.each(BODIES)(
        'is ambiguous with every status and the body %s, and an inquiry returns the outcome',
        async (body) => {
          await Promise.all(answersWith(body).map((answer) => expectUnknown(bench, operation, answer)));
        },
      );
    });

    it.each(BODIES)('to an inquiry proves nothing with any status and the body %s', async (body) => {
      await Promise.all(answersWith(body).map((answer) => expectInconclusive(bench, answer)));
    });

    if (bench.capabilities.subAccounts) {
      it.each(BODIES)('about a recipient is ambiguous with every status and the body %s', async (body) => {
        await Promise.all(answersWith(body).map((answer) => expectUnknownRecipient(bench, answer)));
      });
    }

    it('is definite only where the driver says which document states that', () => {
      for (const { source } of bench.driver.documentedAnswers ?? []) expect(source).toMatch(/\w/);
    });
  });

  describe('the gateway’s own errors', () => {
    it.each([...operationsOf(bench)])('to $name have the family of their status', async (operation) => {
      const families = Object.entries(bench.gateway.ownErrors);
      expect(families.length).toBeGreaterThan(0);
      await Promise.all(families.map(([status, family]) => expectOwn(bench, operation, +status, family)));
    });

    it('to an inquiry are inconclusive', async () => {
      if (!bench.answersInquiries) return;
      const { transactionId, request, charge } = await bench.createCharge();
      for (const status of Object.keys(bench.gateway.ownErrors)) {
        await bench.gateway.injectFault(transactionId, { status: +status }, 'inquiry');
        const inquiry = await bench.inquire(request.reference, charge.gatewayTransactionId);
        // Asked for its own id, the gateway says so that it has no such charge.
        const isAbsence = bench.gateway.referenceIsId === true && status === '404';
        expect([status, inquiry.kind]).toEqual([status, isAbsence ? 'not_found' : 'inconclusive']);
      }
    });
  });
}

/** The operation takes effect, its answer proves nothing, and an inquiry finds the outcome. */
async function expectUnknown(
  bench: ContractBench,
  operation: ContractOperation,
  answer: ForeignAnswer,
): Promise<void> {
  const { transactionId, reference, chargeId, send } = await operation.prepare();
  await bench.gateway.injectFault(transactionId, answer, operation.operation);
  const documented = familyOf(bench, answer);
  await expectFamily(send(bench.context()), documented ?? 'ambiguous');
  if (documented !== undefined) return;
  const inquired = await bench.inquire(reference, chargeId);
  const isFound = bench.supportsLookup || (bench.answersInquiries && chargeId !== null);
  if (isFound && !isHidden(bench, operation)) expect(requireFound(inquired)).toMatchObject(operation.result);
  else expect(inquired.kind).toBe('inconclusive');
}

/** Neither for a charge that exists nor for one that does not. */
async function expectInconclusive(bench: ContractBench, answer: ForeignAnswer): Promise<void> {
  const { transactionId, request, charge } = await bench.createCharge();
  const absent = bench.newPayment();
  for (const id of [transactionId, absent.transactionId]) {
    await bench.gateway.injectFault(id, answer, 'inquiry');
  }
  const found = await bench.inquire(request.reference, charge.gatewayTransactionId);
  expect([answer, found.kind]).toEqual([answer, 'inconclusive']);
  const missing = await bench.inquire(absent.request.reference);
  expect([answer, missing.kind]).toEqual([answer, 'inconclusive']);
}

async function expectUnknownRecipient(bench: ContractBench, answer: ForeignAnswer): Promise<void> {
  const reference = bench.newPayment().transactionId;
  const { active } = bench.gateway.documents;
  await bench.gateway.injectFault(reference, answer, 'recipient');
  await expectFamily(bench.createRecipient(reference, active), familyOf(bench, answer) ?? 'ambiguous');
  await bench.gateway.injectFault(reference, answer, 'inquiry');
  const find = (): Promise<Recipient | null> => bench.findRecipient(reference);
  await expectFamily(find(), familyOf(bench, answer) ?? 'ambiguous');
  expect(await find()).toMatchObject({ status: bench.gateway.recipientWithoutSecret ?? 'active' });
}

async function expectOwn(
  bench: ContractBench,
  operation: ContractOperation,
  status: number,
  family: GatewayErrorFamily,
): Promise<void> {
  const { transactionId, send } = await operation.prepare();
  const before = await bench.gateway.netCapturedCents(transactionId);
  await bench.gateway.injectFault(transactionId, { status }, operation.operation);
  await expectFamily(send(bench.context()), family);
  expect(await bench.gateway.netCapturedCents(transactionId)).toBe(before);
}

/** The family that the driver lists for an answer with an empty body. */
function familyOf(bench: ContractBench, { html, body }: ForeignAnswer): GatewayErrorFamily | undefined {
  const listed = bench.driver.documentedAnswers ?? [];
  return listed.find((answer) => answer.status === html && answer.body === body)?.family;
}
