import { requireFound, type ContractBench } from './bench';
import { isHidden, operationsOf, type ContractOperation } from './operations';

/** Captures, cancels and refunds that the gateway accepts at once, and carries out or refuses later. */
export function describePendingOperations(bench: ContractBench): void {
  const { pendingOperations } = bench.capabilities;
  const operations = pendingOperations.flatMap((kind) => {
    const ofKind = operationsOf(bench).filter(({ operation }) => operation === kind);
    return ofKind.find(isAlwaysPending) ?? ofKind.slice(0, 1);
  });

  describe('an operation that is accepted with its result to come later', () => {
    it.each(operations)('($name) is pending until it is carried out', async (operation) => {
      const { ready, outcome, inquire, captured, finish } = await leavePending(bench, operation, 'executed');
      expect(outcome).toMatchObject({ ...operation.result, kind: 'pending' });
      expect(outcome?.gatewayTransactionId).toBe(ready.chargeId);
      if (isHidden(bench, operation)) await expectHidden(bench, ready);
      else if (bench.answersInquiries) expect(await inquire()).toEqual({ ...outcome, chargeState: null });
      expect(await bench.gateway.netCapturedCents(ready.transactionId)).toBe(captured);
      await finish();
      const done = isAlwaysPending(operation) && bench.answersInquiries ? { kind: 'refunded' } : {};
      expect(await inquire()).toMatchObject({ ...operation.result, ...done });
    });

    it.each(operations)('($name) is declined if it is refused, and changes nothing', async (operation) => {
      const { ready, inquire, captured, finish } = await leavePending(bench, operation, 'refused');
      await finish();
      // Who does not see it pending does not see it refused: a person looks.
      if (isHidden(bench, operation)) await expectHidden(bench, ready);
      else expect((await inquire()).kind).toBe('declined');
      expect(await bench.gateway.netCapturedCents(ready.transactionId)).toBe(captured);
    });

    it.each(operations)('($name) is found as pending if the answer was lost', async (operation) => {
      if (!bench.answersInquiries) return;
      const { ready, inquire } = await leavePending(bench, operation, 'executed', { drop: 'after' });
      if (isHidden(bench, operation)) return expectHidden(bench, ready);
      expect(await inquire()).toMatchObject({ kind: 'pending', gatewayTransactionId: ready.chargeId });
    });
  });
}

/** Whether the gateway never gives its result at once. */
function isAlwaysPending({ operation, result }: ContractOperation): boolean {
  return operation === 'refund' && 'kind' in result && result.kind === 'pending';
}

async function expectHidden(
  bench: ContractBench,
  { reference, chargeId }: Pick<Awaited<ReturnType<ContractOperation['prepare']>>, 'reference' | 'chargeId'>,
): Promise<void> {
  expect((await bench.inquire(reference, chargeId)).kind).toBe('inconclusive');
}

async function leavePending(
  bench: ContractBench,
  { operation, prepare }: ContractOperation,
  then: 'executed' | 'refused',
  fault?: { readonly drop: 'after' },
) {
  const { pending } = bench.gateway;
  if (pending === undefined) throw new Error('a gateway with pendingOperations must implement pending');
  const ready = await prepare();
  const { transactionId, reference, chargeId, send } = ready;
  const captured = await bench.gateway.netCapturedCents(transactionId);
  await pending.leave(transactionId, operation, then, fault);
  const call = send(bench.context());
  const outcome = fault === undefined ? await call : await call.catch(() => null);
  return {
    ready,
    outcome,
    captured,
    inquire: async () => requireFound(await bench.learn(reference, chargeId)),
    finish: () => pending.finish(transactionId, operation),
  };
}
