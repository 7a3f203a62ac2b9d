import { PaymentWorkflows } from '../../../src/temporal/payments';
import { newCompany } from '../../support/fixtures/payments';
import { pay, uniqueAmount } from '../../support/scenarios/pay';
import { startEngine, type Engine } from '../../support/stack/engine';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

describe('a payment whose request took all its time before the start of its workflow', () => {
  it('is started all the same, and does not wait for the sweeper', async () => {
    const { context, config, idlePayments } = engine;
    const { body } = await pay({ payments: idlePayments }, await newCompany(engine), {
      amount: uniqueAmount(),
    });
    const record = await context.payments.get(body.transaction_id);
    const workflows = new PaymentWorkflows(context.temporal, config.temporal.taskQueue);
    await workflows.awaitResult(record, new Date(Date.now() - 1));
    const handle = context.temporal.workflow.getHandle(`payment/${body.transaction_id}`);
    expect(await handle.result()).toEqual({ status: 'approved' });
  });
});
