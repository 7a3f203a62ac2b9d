import type { GatewayErrorFamily } from '../../../../src/domain/payments/gateway-error-family';
import type { GatewayContext, Recipient } from '../../../../src/gateways/gateway';
import { expectFamily, requireFound, type ContractBench } from '../bench';
import type { ForeignAnswer } from '../gateway-under-test';
import { isHidden, operationsOf, type ContractOperation } from '../operations';
import { RecordedCall } from './recorded-call';

/** Statuses that a proxy, a firewall or a load balancer may send after the gateway has processed the request. */
const STATUSES = [200, 302, 400, 401, 403, 404, 408, 409, 410, 422, 429, 500, 502, 503] as const;
const BODIES = ['html', 'json', 'empty'] as const;
type Body = (typeof BODIES)[number];
/** The status that the gateway's side really sends; the same call is then repeated with every other. */
const SENT = { html: 200, json: 404, empty: 302 } as const satisfies Record<Body, number>;

const sentWith = (body: Body): ForeignAnswer => ({ html: SENT[body], body });
const answersWith = (body: Body): ForeignAnswer[] => STATUSES.map((html) => ({ html, body }));

/** Answers that are not the gateway's own, and the gateway's own errors, with the same statuses. */
export function describeForeignAnswers(bench: ContractBench): void {
  describe('an answer that is not the gateway’s own', () => {
    describe.each([...operationsOf(bench)])('to $name', (operation) => {
      it.each(BODIES)(
        'is ambiguous with every status and the body %s, and an inquiry returns the outcome',
        (body) => expectUnknown(bench, operation, body),
      );
    });

    it.each(BODIES)('to an inquiry proves nothing with any status and the body %s', (body) =>
      expectInconclusive(bench, body),
    );

    if (bench.driver.recipientAuthorization !== undefined) {
      it.each(BODIES)('to a recipient’s consent is ambiguous with every status and the body %s', (body) =>
        expectUnknownConsent(bench, body),
      );
    } else if (bench.capabilities.subAccounts) {
      it.each(BODIES)('about a recipient is ambiguous with every status and the body %s', (body) =>
        expectUnknownRecipient(bench, body),
      );
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
async function expectUnknown(bench: ContractBench, operation: ContractOperation, body: Body): Promise<void> {
  const { transactionId, reference, chargeId, send } = await operation.prepare();
  await bench.gateway.injectFault(transactionId, sentWith(body), operation.operation);
  await expectAmbiguous(bench, body, send);
  const inquired = await bench.inquire(reference, chargeId);
  const isFound = isAskable(bench, chargeId) && !isHidden(bench, operation);
  if (isFound) expect(requireFound(inquired)).toMatchObject(operation.result);
  else expect(inquired.kind).toBe('inconclusive');
}

/** Whether the gateway can be asked: by our reference, or by its own id. */
function isAskable(bench: ContractBench, chargeId: string | null): boolean {
  return bench.supportsLookup || (bench.answersInquiries && chargeId !== null);
}

/** Once really, then repeated with every status. */
async function expectAmbiguous(
  bench: ContractBench,
  body: Body,
  send: (ctx: GatewayContext) => Promise<unknown>,
): Promise<void> {
  const call = new RecordedCall(() => bench.context());
  const sent = sentWith(body);
  await expectFamily(send(call.first()), familyOf(bench, sent));
  for (const answer of answersWith(body)) {
    await expectFamily(send(call.again(sent, answer)), familyOf(bench, answer));
  }
}

/** Neither for a charge that exists nor for one that does not. */
async function expectInconclusive(bench: ContractBench, body: Body): Promise<void> {
  const { transactionId, request, charge } = await bench.createCharge();
  const absent = bench.newPayment();
  const subjects = [
    [transactionId, request.reference, charge.gatewayTransactionId],
    [absent.transactionId, absent.request.reference, null],
  ] as const;
  const sent = sentWith(body);
  for (const [id, reference, chargeId] of subjects) {
    await bench.gateway.injectFault(id, sent, 'inquiry');
    const call = new RecordedCall(() => bench.context());
    const first = await bench.inquire(reference, chargeId, call.first());
    expect([sent, first.kind]).toEqual([sent, 'inconclusive']);
    // Without a way to ask, nothing is sent.
    if (!isAskable(bench, chargeId)) continue;
    for (const answer of answersWith(body)) {
      const { kind } = await bench.inquire(reference, chargeId, call.again(sent, answer));
      expect([answer, kind]).toEqual([answer, 'inconclusive']);
    }
  }
}

async function expectUnknownRecipient(bench: ContractBench, body: Body): Promise<void> {
  const reference = bench.newPayment().transactionId;
  const { active } = bench.gateway.documents;
  await bench.gateway.injectFault(reference, sentWith(body), 'recipient');
  await expectAmbiguous(bench, body, (ctx) => bench.createRecipient(reference, active, ctx));
  await bench.gateway.injectFault(reference, sentWith(body), 'inquiry');
  const find = (ctx?: GatewayContext): Promise<Recipient | null> => bench.findRecipient(reference, ctx);
  await expectAmbiguous(bench, body, find);
  expect(await find()).toMatchObject({ status: bench.gateway.recipientWithoutSecret ?? 'active' });
}

/** The code may have been taken. */
async function expectUnknownConsent(bench: ContractBench, body: Body): Promise<void> {
  const code = await bench.consent();
  await bench.gateway.injectFault('', sentWith(body), 'recipient');
  await expectAmbiguous(bench, body, (ctx) => bench.authorization.redeem(ctx, code));
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

/** Ambiguous, unless the driver lists another for an answer with an empty body. */
function familyOf(bench: ContractBench, { html, body }: ForeignAnswer): GatewayErrorFamily {
  const listed = bench.driver.documentedAnswers ?? [];
  return listed.find((answer) => answer.status === html && answer.body === body)?.family ?? 'ambiguous';
}
