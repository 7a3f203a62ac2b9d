import type { FollowUp, GatewayContext, Outcome } from '../../../src/gateways/gateway';
import { AMOUNT, BANK_ACCOUNT, found, type Charged, type ContractBench } from './bench';

/** An operation about to be sent. */
interface ReadyOperation {
  readonly transactionId: string;
  readonly reference: string;
  /** The charge it acts on; null when it makes one. */
  readonly chargeId: string | null;
  send(ctx: GatewayContext): Promise<Outcome>;
}

/** One kind of request that changes something at the gateway. */
export interface ContractOperation {
  readonly name: string;
  /** As a gateway that is to misbehave is told. */
  readonly operation: 'charge' | 'authorize' | 'capture' | 'cancel' | 'refund';
  /** What it comes to. */
  readonly result: object;
  prepare(): Promise<ReadyOperation>;
}

/** Every operation a gateway can carry out: the table that results, errors and lost answers are tried with. */
export function operationsOf(bench: ContractBench): readonly ContractOperation[] {
  return [...charges(bench), ...authorizations(bench), ...cancels(bench), ...refunds(bench)];
}

function charges(bench: ContractBench): ContractOperation[] {
  return bench.can.methods.map((method) => ({
    name: `a charge by ${method}`,
    operation: 'charge',
    result: { kind: method === 'card' ? 'approved' : 'pending', amountCents: AMOUNT },
    prepare() {
      const { transactionId, request } = bench.payment({}, method);
      const send = (ctx: GatewayContext) => bench.driver.charge(ctx, request);
      return Promise.resolve({ transactionId, reference: request.reference, chargeId: null, send });
    },
  }));
}

function authorizations(bench: ContractBench): ContractOperation[] {
  if (!bench.can.authorizeOnly) return [];
  const part = AMOUNT - 990;
  const capture = (name: string, amountCents: number): ContractOperation => ({
    name,
    operation: 'capture',
    result: { kind: 'approved', amountCents },
    prepare: async () => follow(bench, await bench.authorized(), 'capture', { amountCents }),
  });
  return [
    {
      name: 'an authorization',
      operation: 'authorize',
      result: { kind: 'authorized', amountCents: AMOUNT },
      prepare() {
        const { transactionId, request } = bench.payment();
        const send = (ctx: GatewayContext) => bench.driver.authorize(ctx, request);
        return Promise.resolve({ transactionId, reference: request.reference, chargeId: null, send });
      },
    },
    capture('a capture of the whole', AMOUNT),
    ...(bench.can.partialCapture ? [capture('a capture of a part', part)] : []),
  ];
}

function cancels(bench: ContractBench): ContractOperation[] {
  const cancel = (name: string, charge: () => Promise<Charged>): ContractOperation => ({
    name,
    operation: 'cancel',
    result: { kind: 'canceled', amountCents: AMOUNT },
    prepare: async () => follow(bench, await charge(), 'cancel'),
  });
  const pending = (['pix', 'billet'] as const).filter((method) => bench.can.methods.includes(method));
  return [
    ...(bench.can.authorizeOnly ? [cancel('a cancel of an authorization', () => bench.authorized())] : []),
    ...pending.map((method) => cancel(`a cancel of a pending ${method}`, () => bench.charged({}, method))),
  ];
}

function refunds(bench: ContractBench): ContractOperation[] {
  const refund = (
    name: string,
    charge: () => Promise<Charged>,
    changes: Partial<FollowUp> = {},
  ): ContractOperation => ({
    name,
    operation: 'refund',
    result: { kind: 'refunded', amountCents: changes.amountCents ?? AMOUNT },
    prepare: async () => follow(bench, await charge(), 'refund', changes),
  });
  const { refundMethods, partialRefund } = bench.can;
  const amountCents = 4_000;
  return [
    refund('a refund of the whole', () => bench.charged()),
    ...(partialRefund ? [refund('a refund of a part', () => bench.charged(), { amountCents })] : []),
    ...(refundMethods.includes('pix') ? [refund('a refund of a pix', () => bench.paid('pix'))] : []),
    ...(refundMethods.includes('billet')
      ? [refund('a refund of a billet', () => bench.paid('billet'), { bankAccount: BANK_ACCOUNT })]
      : []),
  ];
}

function follow(
  bench: ContractBench,
  { transactionId, charge }: Charged,
  operation: 'capture' | 'cancel' | 'refund',
  changes: Partial<FollowUp> = {},
): ReadyOperation {
  const reference = `${transactionId}-1-${operation}`;
  const followUp = bench.followUp(charge, reference, { reason: 'pedido cancelado', ...changes });
  const send = (ctx: GatewayContext) => bench.driver[operation](ctx, followUp);
  return { transactionId, reference, chargeId: charge.gatewayTransactionId, send };
}

export function describeOperations(bench: ContractBench): void {
  describe('operations', () => {
    it.each([...operationsOf(bench)])('$name succeeds, and an inquiry tells the same', async (operation) => {
      const { reference, send } = await operation.prepare();
      const outcome = await send(bench.context());
      expect(outcome).toMatchObject(operation.result);
      expect(outcome.gatewayTransactionId).not.toBe('');
      const inquired = found(await bench.inquire(reference, outcome.gatewayTransactionId));
      expect(inquired).toEqual(outcome);
    });
  });
}
