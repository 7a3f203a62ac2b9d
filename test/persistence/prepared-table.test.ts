import type { CreationAttributes, InferAttributes } from 'sequelize';
import { randomUUID } from 'node:crypto';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { newAttemptId, newTransactionId, newVaultCardId } from '../../src/domain/shared/ids';
import type { NewAttempt } from '../../src/persistence/payments/gateway-attempt-repository';
import { GatewayAttemptModel } from '../../src/persistence/models/gateway-attempt';
import { PaymentModel } from '../../src/persistence/models/payment';
import { VaultCardModel } from '../../src/persistence/models/vault-card';
import { changeJointly, type JointChange } from '../../src/persistence/sql/joint-changes';
import { PreparedTable } from '../../src/persistence/sql/prepared-table';
import type { Tx } from '../../src/persistence/sql/transaction';
import { testConfig } from '../support/stack/test-config';

let context: AppContext;
let payments: PreparedTable<PaymentModel>;
let attempts: PreparedTable<GatewayAttemptModel>;
beforeAll(() => {
  context = createAppContext(testConfig());
  payments = new PreparedTable(context.db, PaymentModel);
  attempts = new PreparedTable(context.db, GatewayAttemptModel);
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

const NOW = new Date('2031-02-03T04:05:06.789Z');

type StoredPayment = InferAttributes<PaymentModel>;

const insertReturning: Insert = (row, tx) => payments.insertReturning(row, tx);
const insertWithDefaults: Insert = (row, tx) => payments.insertWithDefaults(row, [], tx);
type Insert = (row: CreationAttributes<PaymentModel>, tx: Tx) => Promise<StoredPayment>;

async function newPayment(insert = insertReturning): Promise<StoredPayment> {
  const id = randomUUID();
  const company = await context.companies.insert({
    mode: 'test',
    name: 'Loja',
    clientId: id,
    apiKeyHash: id,
  });
  return context.db.inTransaction(async (tx) => {
    const details = { name: 'Maria', email: 'maria@example.com', document: '52998224725' };
    const { id, token, type } = await context.customers.upsert(tx, company.id, details);
    return insert(
      {
        transactionId: newTransactionId(),
        companyId: company.id,
        merchantOrderId: 'order "1"; ç $1',
        idempotencyKey: null,
        amountCents: 3_000_000_000,
        currency: 'BRL',
        paymentMethod: 'card',
        status: 'processing',
        message: 'processing',
        capture: true,
        installments: 1,
        softDescriptor: null,
        metadata: { note: 'a "quoted" one' },
        splits: [{ recipientId: 're_1', amountCents: 1 }] as unknown as StoredPayment['splits'],
        gatewayFirstTry: null,
        customerId: id,
        customer: { id, token, type },
        card: null,
        cardFingerprint: null,
        saveCard: false,
        vaultCardId: null,
        requestedAt: NOW,
        initiation: { initiator: 'customer', reason: 'one_off' },
        recoverAfter: NOW,
      },
      tx,
    );
  });
}

function newAttempt(payment: StoredPayment, createdAt: Date): NewAttempt {
  return {
    id: newAttemptId(),
    paymentId: payment.id,
    companyId: payment.companyId,
    attempt: 1,
    operation: 'inquiry',
    gatewaySlug: 'gateway_1',
    reference: randomUUID(),
    status: 'unknown',
    amountCents: 1_000,
    createdAt,
  };
}

/** The row as Sequelize reads it. */
const stored = ({ id }: StoredPayment) => PaymentModel.findOne({ where: { id }, raw: true });

describe('a row', () => {
  it('is written and read as Sequelize does: JSON, instants, large amounts and column defaults', async () => {
    const payment = await newPayment();
    expect(payment).toMatchObject({ amountCents: 3_000_000_000, attempts: 0, recoverAfter: NOW, card: null });
    expect(payment.metadata).toEqual({ note: 'a "quoted" one' });
    expect(payment).toEqual(await stored(payment));
    expect(await payments.findOne({ transactionId: payment.transactionId })).toEqual(payment);
    expect(Object.keys(payment).sort()).toEqual(Object.keys(PaymentModel.getAttributes()).sort());
  });

  it('is returned by an insert that reads only what it did not give as it is read later', async () => {
    const payment = await newPayment(insertWithDefaults);
    expect(payment).toMatchObject({ attempts: 0, capturedAmountCents: 0, stuckAt: null });
    expect(payment).toEqual(await payments.findOne({ id: payment.id }));
  });

  it('stores SQL NULL and never a JSON null', async () => {
    const id = newVaultCardId();
    const { companyId } = await newPayment();
    const sealed = await context.envelope.seal('4111111111111111', 'test');
    const cards = new PreparedTable(context.db, VaultCardModel);
    const row = { id, companyId, sealedNumber: sealed, sealedCvv: null, cvvExpiresAt: null };
    await context.db.inTransaction((tx) => cards.insert(row, tx));
    expect(
      await context.db.query('SELECT 1 FROM vault_cards WHERE id = $1 AND sealed_cvv IS NULL', [id]),
    ).toHaveLength(1);
    expect(await VaultCardModel.findOne({ where: { id }, raw: true })).toMatchObject(row);
  });

  it('is found by a list of values, in the requested order', async () => {
    const [one, other] = [await newPayment(), await newPayment()];
    const [late, early] = [newAttempt(one, new Date(2_000)), newAttempt(other, new Date(1_000))];
    await context.db.inTransaction(async (tx) => {
      await attempts.insert(late, tx);
      await attempts.insert(early, tx);
    });
    const found = await attempts.findAll({ paymentId: [one.id, other.id], status: ['unknown', 'sent'] }, [
      'createdAt',
    ]);
    expect(found.map(({ id }) => id)).toEqual([early.id, late.id]);
    expect(found).toEqual(
      await GatewayAttemptModel.findAll({
        where: { id: [early.id, late.id] },
        order: ['createdAt'],
        raw: true,
      }),
    );
    expect(await attempts.findAll({ paymentId: [] }, ['id'])).toEqual([]);
  });
});

describe('an insert with a change of another row', () => {
  it('makes both, or neither if one of them fails', async () => {
    const [payment, other] = [await newPayment(), await newPayment()];
    const attempt = newAttempt(payment, NOW);
    const claim = (claimed: StoredPayment, row = attempt) =>
      context.db.inTransaction((tx) =>
        attempts.insertWith(row, payments.updating({ attempts: 1, stuckAt: NOW }, { id: claimed.id }), tx),
      );
    await claim(payment);
    expect(await stored(payment)).toEqual({ ...payment, attempts: 1, stuckAt: NOW });
    expect(await attempts.findOne({ id: attempt.id })).toMatchObject({ ...attempt, status: 'unknown' });
    // The attempt's id is taken.
    await expect(claim(other)).rejects.toMatchObject({ name: 'SequelizeUniqueConstraintError' });
    expect(await stored(other)).toEqual(other);
  });
});

it('an insert that also reads a row makes both changes, whether it finds the row or not', async () => {
  for (const isFound of [true, false]) {
    const payment = await newPayment();
    const attempt = newAttempt(payment, NOW);
    const change = payments.updating({ attempts: 1 }, { id: payment.id });
    const id = isFound ? payment.companyId : 0;
    const read = await context.db.inTransaction((tx) =>
      attempts.insertAndRead(
        attempt,
        change,
        (values) => `SELECT id FROM companies WHERE id = $${values.push(id)}`,
        tx,
      ),
    );
    expect(read).toEqual(isFound ? { id } : null);
    expect(await stored(payment)).toEqual({ ...payment, attempts: 1 });
    expect(await attempts.findOne({ id: attempt.id })).toMatchObject({ status: 'unknown' });
  }
});

describe('changes made by one statement', () => {
  const stuck = (id: number): JointChange => ({
    change: payments.updating({ stuckAt: NOW }, { id, status: 'processing' }),
    unlessOne: `payment ${id} was not locked`,
  });
  const finished = (id: string, unlessOne: string | null): JointChange => ({
    change: attempts.updating({ status: 'declined' }, { id, status: ['sent', 'unknown'] }),
    unlessOne,
  });
  const publish = (tx: Tx, { companyId, transactionId }: StoredPayment, changes: readonly JointChange[]) =>
    context.events.publish(
      tx,
      {
        companyId,
        subject: { type: 'payment', id: transactionId },
        sequence: 1,
        type: 'transaction.failed',
        content: {},
        personal: null,
        createdAt: NOW,
      },
      { changes },
    );
  const eventsOf = ({ transactionId }: StoredPayment) =>
    context.db.query('SELECT 1 FROM events WHERE subject_id = $1', [transactionId]);

  it('are all made, with the event that reports them', async () => {
    const [payment, attempt] = [await newPayment(), newAttempt(await newPayment(), NOW)];
    await context.db.inTransaction((tx) => attempts.insert(attempt, tx));
    const changes = [stuck(payment.id), finished(attempt.id, 'the attempt has a result')];
    await context.db.inTransaction((tx) => publish(tx, payment, changes));
    expect(await stored(payment)).toEqual({ ...payment, stuckAt: NOW });
    expect(await attempts.findOne({ id: attempt.id })).toMatchObject({ status: 'declined' });
    expect(await eventsOf(payment)).toHaveLength(1);
  });

  it('are none of them made if one that must change its row changes none, also with an event', async () => {
    const payment = await newPayment();
    const changes = [stuck(payment.id), finished(newAttemptId(), 'the attempt has a result')];
    const works: ReadonlyArray<(tx: Tx) => Promise<unknown>> = [
      (tx: Tx) => changeJointly(context.db, changes, tx),
      (tx: Tx) => publish(tx, payment, changes),
      (tx: Tx) => publish(tx, payment, changes.toReversed()),
    ];
    for (const work of works)
      await expect(context.db.inTransaction(work)).rejects.toThrow('the attempt has a result');
    expect(await stored(payment)).toEqual(payment);
    expect(await eventsOf(payment)).toEqual([]);
  });

  it('may include one that changes no row', async () => {
    const payment = await newPayment();
    const changes = [stuck(payment.id), finished(newAttemptId(), null)];
    await context.db.inTransaction((tx) => changeJointly(context.db, changes, tx));
    expect(await stored(payment)).toEqual({ ...payment, stuckAt: NOW });
  });
});

describe('an update', () => {
  it('changes only the given attributes and returns the number of rows', async () => {
    const payment = await newPayment();
    const change = { message: 'with a \0 in it', metadata: null, card: undefined, stuckAt: NOW };
    const update = (status: 'processing' | 'approved') =>
      context.db.inTransaction((tx) => payments.update(change as object, { id: payment.id, status }, tx));
    expect(await update('approved')).toBe(0);
    expect(await stored(payment)).toEqual(payment);
    expect(await update('processing')).toBe(1);
    expect(await stored(payment)).toEqual({
      ...payment,
      message: 'with a \\0 in it',
      metadata: null,
      stuckAt: NOW,
    });
  });

  it('rejects an attribute that the model does not have', async () => {
    const { id } = await newPayment();
    const change = { ["message\" = '' --"]: 'x' } as object;
    await expect(context.db.inTransaction((tx) => payments.update(change, { id }, tx))).rejects.toThrow(
      'has no attribute',
    );
  });
});

it('a second lock of a row waits for the transaction that holds the first', async () => {
  const { transactionId } = await newPayment();
  const order: string[] = [];
  let second: Promise<void> | undefined;
  await context.db.inTransaction(async (tx) => {
    await payments.lockOne({ transactionId }, tx);
    second = context.db
      .inTransaction((other) => payments.lockOne({ transactionId }, other))
      .then(() => void order.push('second'));
    await expect(
      context.db.inTransaction((other) =>
        context.db.query(
          'SELECT 1 FROM payments WHERE transaction_id = $1 FOR UPDATE NOWAIT',
          [transactionId],
          other,
        ),
      ),
    ).rejects.toMatchObject({ original: { code: '55P03' } });
    order.push('first');
  });
  await second;
  expect(order).toEqual(['first', 'second']);
});
