import { randomUUID } from 'node:crypto';
import type {
  OperatePayment,
  OperatePaymentCommand,
} from '../../../src/application/payments/operate-payment';
import { createPayments } from '../../../src/composition/api-payments';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { Capabilities } from '../../../src/domain/routing/routing';
import { GATEWAY_SLUGS } from '../../../src/domain/shared/gateway-slug';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { Database, type Tx } from '../../../src/persistence/sql/transaction';
import type { PaymentBody } from '../../../src/presenters/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { sameGateways } from '../../support/same-gateways';

let engine: Engine;
let company: AuthenticatedCompany;
beforeAll(async () => {
  engine = await startEngine();
  company = await newCompany(engine);
});
afterAll(() => engine.stop());

const sale = async () => (await pay(engine, company, { amount: uniqueAmount() })).body;
const authorization = async () =>
  (await pay(engine, company, { amount: uniqueAmount(), capture: false })).body;

function command(
  payment: PaymentBody,
  operation: OperatePaymentCommand['operation'],
  request: OperatePaymentCommand['request'] = {},
): OperatePaymentCommand {
  return {
    company,
    operation,
    id: payment.transaction_id,
    idempotencyKey: randomUUID(),
    request,
    receivedAt: new Date(),
  };
}

/** The use case with gateways of limited capabilities. */
function limitedTo(limits: Partial<Capabilities>): OperatePayment {
  class Limited extends SimulatorDriver {
    override capabilities(slug: Parameters<SimulatorDriver['capabilities']>[0]): Capabilities {
      return { ...super.capabilities(slug), ...limits };
    }
  }
  const drivers = new Map(GATEWAY_SLUGS.map((slug) => [slug, new Limited()]));
  const registry = new GatewayRegistry({ drivers, ...engine.config.gateways });
  return createPayments(
    engine.config,
    { ...engine.context, registries: sameGateways(registry) },
    () => undefined,
  ).operatePayment;
}

describe('an operation that the gateway does not support', () => {
  it('a partial capture is rejected before it is sent', async () => {
    const operate = limitedTo({ partialCapture: false });
    const payment = await authorization();
    await expect(operate.execute(command(payment, 'capture', { amount: 100 }))).rejects.toMatchObject({
      code: 'validation_error',
      fields: { amount: [expect.stringContaining('captures no part')] },
    });
    const whole = await operate.execute(command(payment, 'capture', { amount: payment.amount }));
    expect(whole).toMatchObject({ status: 200 });
  });

  it('a partial refund is rejected before it is sent', async () => {
    const operate = limitedTo({ partialRefund: false });
    const payment = await sale();
    await expect(operate.execute(command(payment, 'refund', { amount: 100 }))).rejects.toMatchObject({
      fields: { amount: [expect.stringContaining('refunds no part')] },
    });
    expect(await operate.execute(command(payment, 'refund'))).toMatchObject({ status: 200 });
  });

  it('a refund of an unsupported method is rejected before it is sent', async () => {
    const operate = limitedTo({ refundMethods: ['pix'] });
    const payment = await sale();
    await expect(operate.execute(command(payment, 'refund'))).rejects.toMatchObject({
      code: 'validation_error',
      fields: { payment_method: ['gateway_1 refunds no card'] },
    });
    expect(await ledgerOf(engine, payment)).toMatchObject({ refunded: 0 });
  });
});

describe('a connection lost under COMMIT', () => {
  /** A database whose connection breaks during the first COMMIT. `commits`: whether Postgres commits it. */
  class BreakingDatabase extends Database {
    private broken = false;

    constructor(
      intact: Database,
      private readonly commits: boolean,
    ) {
      super(intact.sequelize);
    }

    override async inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      if (this.broken) return super.inTransaction(work);
      this.broken = true;
      const lost = new Error('Connection terminated unexpectedly');
      return super.inTransaction(async (tx) => {
        const result = await work(tx);
        if (!this.commits) throw lost;
        tx.afterCommit(() => {
          throw lost;
        });
        return result;
      });
    }
  }

  const operating = (commits: boolean): OperatePayment => {
    const db = new BreakingDatabase(engine.context.db, commits);
    return createPayments(engine.config, { ...engine.context, db }, () => undefined).operatePayment;
  };

  it('the request returns the result if the operation was committed', async () => {
    const payment = await authorization();
    const operation = command(payment, 'capture');
    expect(await operating(true).execute(operation)).toMatchObject({ status: 200, replayed: false });
    expect(await engine.payments.operatePayment.execute(operation)).toMatchObject({
      status: 200,
      replayed: true,
    });
    expect(await ledgerOf(engine, payment)).toMatchObject({ captured: payment.amount });
  });

  it('the request fails and the idempotency key stays free if it was not committed', async () => {
    const payment = await authorization();
    const operation = command(payment, 'capture');
    await expect(operating(false).execute(operation)).rejects.toThrow('Connection terminated');
    expect((await reloadPayment(engine, company, payment)).transactions).toHaveLength(1);
    expect(await engine.payments.operatePayment.execute(operation)).toMatchObject({
      status: 200,
      replayed: false,
    });
  });
});

describe('an operation whose payment changes before it is claimed', () => {
  it('it is rejected by state, and the rejection is recorded', async () => {
    const payment = await authorization();
    const operation = command(payment, 'capture');
    await engine.idlePayments.operatePayment.execute(operation);
    await engine.context.db.query(
      "UPDATE payments SET status = 'canceled', message = 'canceled' WHERE transaction_id = $1",
      [payment.transaction_id],
    );
    const { operatePayment } = engine.payments;
    const refusal = { code: 'invalid_state', message: expect.stringContaining('canceled') };
    await expect(operatePayment.execute(operation)).rejects.toMatchObject({ ...refusal, headers: {} });
    await expect(operatePayment.execute(operation)).rejects.toMatchObject({
      ...refusal,
      headers: { 'Idempotency-Replayed': 'true' },
    });
    expect(await ledgerOf(engine, payment)).toMatchObject({ captured: 0 });
  });
});

describe('an operation whose API process crashes after the commit', () => {
  it('the sweeper has it sent exactly once', async () => {
    const payment = await sale();
    const operation = command(payment, 'refund', { amount: 100 });
    const open = await engine.idlePayments.operatePayment.execute(operation);
    expect(open).toMatchObject({ kind: 'payment', inProgress: true });
    await engine.context.db.query('UPDATE payments SET recover_after = now() WHERE transaction_id = $1', [
      payment.transaction_id,
    ]);
    await engine.sweeper.sweepOnce();
    await waitFor(async () => (await reloadPayment(engine, company, payment)).refunded_amount === 100);
    expect(await engine.payments.operatePayment.execute(operation)).toMatchObject({
      status: 200,
      replayed: true,
    });
    expect(await ledgerOf(engine, payment)).toMatchObject({ refunded: 100 });
  });

  it('it is sent even if the workflow of the payment is already waiting', async () => {
    const payment = await authorization();
    const operation = command(payment, 'capture');
    await engine.idlePayments.operatePayment.execute(operation);
    await engine.context.db.query('UPDATE payments SET recover_after = now() WHERE transaction_id = $1', [
      payment.transaction_id,
    ]);
    await engine.sweeper.sweepOnce();
    await waitFor(async () => (await reloadPayment(engine, company, payment)).status === 'approved');
    expect(await ledgerOf(engine, payment)).toMatchObject({ captured: payment.amount });
  });
});
