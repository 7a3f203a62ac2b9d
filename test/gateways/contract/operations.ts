import type { FollowUp, GatewayContext, Outcome } from '../../../src/gateways/gateway';
import { AMOUNT, BANK_ACCOUNT, requireFound, type CreatedCharge, type ContractBench } from './bench';

/** An operation that is ready to be sent. */
interface ReadyOperation {
  readonly transactionId: string;
  readonly reference: string;
  /** The charge of the operation; null for a new charge. */
  readonly chargeId: string | null;
  send(ctx: GatewayContext): Promise<Outcome>;
}

/** One kind of request that changes state at the gateway. */
export interface ContractOperation {
  readonly name: string;
  /** The operation name for fault injection. */
  readonly operation: 'charge' | 'authorize' | 'capture' | 'cancel' | 'refund';
  /** The expected outcome. */
  readonly result: object;
  /** What the request is answered, if its result always comes later. */
  readonly answer?: object;
  prepare(): Promise<ReadyOperation>;
}

/** Every operation that the gateway supports. The tests of results, errors and lost responses use this list. */
export function operationsOf(bench: ContractBench): readonly ContractOperation[] {
  const operations = [...charges(bench), ...authorizations(bench), ...cancels(bench), ...refunds(bench)];
  if (bench.answersInquiries) return operations;
  const { pendingOperations } = bench.capabilities;
  return operations.map((each) =>
    pendingOperations.some((kind) => kind === each.operation)
      ? { ...each, answer: { ...each.result, kind: 'pending' } }
      : each,
  );
}

function charges(bench: ContractBench): ContractOperation[] {
  return bench.capabilities.methods.map((method) => ({
    name: `a charge by ${method}`,
    operation: 'charge',
    result: { kind: method === 'card' ? 'approved' : 'pending', amountCents: AMOUNT },
    prepare() {
      const { transactionId, request } = bench.newPayment({}, method);
      const send = (ctx: GatewayContext) => bench.driver.charge(ctx, request);
      return Promise.resolve({ transactionId, reference: request.reference, chargeId: null, send });
    },
  }));
}

function authorizations(bench: ContractBench): ContractOperation[] {
  if (!bench.capabilities.authorizeOnly) return [];
  const partialAmount = AMOUNT - 990;
  const capture = (name: string, amountCents: number): ContractOperation => ({
    name,
    operation: 'capture',
    result: { kind: 'approved', amountCents },
    prepare: async () => follow(bench, await bench.createAuthorization(), 'capture', { amountCents }),
  });
  return [
    {
      name: 'an authorization',
      operation: 'authorize',
      result: { kind: 'authorized', amountCents: AMOUNT },
      prepare() {
        const { transactionId, request } = bench.newPayment();
        const send = (ctx: GatewayContext) => bench.driver.authorize(ctx, request);
        return Promise.resolve({ transactionId, reference: request.reference, chargeId: null, send });
      },
    },
    capture('a full capture', AMOUNT),
    ...(bench.capabilities.partialCapture ? [capture('a partial capture', partialAmount)] : []),
  ];
}

function cancels(bench: ContractBench): ContractOperation[] {
  const cancel = (name: string, charge: () => Promise<CreatedCharge>): ContractOperation => ({
    name,
    operation: 'cancel',
    result: { kind: 'canceled', amountCents: AMOUNT },
    prepare: async () => follow(bench, await charge(), 'cancel'),
  });
  const { methods, uncancelable = [] } = bench.capabilities;
  const pending = (['pix', 'billet'] as const).filter(
    (method) => methods.includes(method) && !uncancelable.includes(method),
  );
  return [
    ...(bench.capabilities.authorizeOnly
      ? [cancel('a cancel of an authorization', () => bench.createAuthorization())]
      : []),
    ...pending.map((method) =>
      cancel(`a cancel of a pending ${method}`, () => bench.createCharge({}, method)),
    ),
  ];
}

function refunds(bench: ContractBench): ContractOperation[] {
  const refund = (
    name: string,
    charge: () => Promise<CreatedCharge>,
    changes: Partial<FollowUp> = {},
    kind: 'refunded' | 'pending' = 'refunded',
  ): ContractOperation => ({
    name,
    operation: 'refund',
    result: { kind, amountCents: changes.amountCents ?? AMOUNT },
    prepare: async () => follow(bench, await charge(), 'refund', changes),
  });
  const { refundMethods, partialRefund } = bench.capabilities;
  const amountCents = 4_000;
  return [
    refund('a full refund', () => bench.createApproved(), {}, bench.refundedKind),
    ...(partialRefund
      ? [refund('a partial refund', () => bench.createApproved(), { amountCents }, bench.refundedKind)]
      : []),
    ...(['pix', 'billet'] as const)
      .filter((method) => refundMethods.includes(method) && method !== bench.mainMethod)
      .map((method) =>
        refund(
          `a refund of a ${method}`,
          () => bench.createPaid(method),
          method === 'billet' ? { bankAccount: BANK_ACCOUNT } : {},
          bench.pendingRefunds.includes(method) ? 'pending' : 'refunded',
        ),
      ),
  ];
}

function follow(
  bench: ContractBench,
  { transactionId, charge }: CreatedCharge,
  operation: 'capture' | 'cancel' | 'refund',
  changes: Partial<FollowUp> = {},
): ReadyOperation {
  const reference = `${transactionId}-1-${operation}`;
  const followUp = bench.followUp(charge, reference, { reason: 'pedido cancelado', ...changes });
  const send = (ctx: GatewayContext) => bench.driver[operation](ctx, followUp);
  return { transactionId, reference, chargeId: charge.gatewayTransactionId, send };
}

/** Whether no inquiry shows the operation before it is carried out. */
export function isHidden(bench: ContractBench, { operation, result }: ContractOperation): boolean {
  const isPending = operation === 'refund' && 'kind' in result && result.kind === 'pending';
  return isPending && bench.gateway.showsPendingRefunds === false;
}

export function describeOperations(bench: ContractBench): void {
  describe('operations', () => {
    it.each([...operationsOf(bench)])(
      '$name succeeds, and the gateway says the same in an inquiry or a signed callback',
      async (operation) => {
        const { result, answer = result } = operation;
        const { reference, send } = await operation.prepare();
        const outcome = await send(bench.context());
        expect(outcome).toMatchObject(answer);
        expect(outcome.gatewayTransactionId).not.toBe('');
        if (!bench.answersInquiries) {
          // Nothing is reported of what waits for its customer.
          if (outcome.kind !== 'pending' || operation.answer !== undefined)
            expect(requireFound(await bench.learn(reference))).toMatchObject(result);
          return;
        }
        const inquiry = await bench.inquire(reference, outcome.gatewayTransactionId);
        if (isHidden(bench, operation)) return expect(inquiry.kind).toBe('inconclusive');
        const inquired = requireFound(inquiry);
        // Only an inquiry reports what was done to the charge since.
        expect({ ...inquired, chargeState: null }).toEqual(outcome);
      },
    );
  });
}
