import { FirstAttempts } from '../../../src/application/payments/first-attempts';
import type { PaymentToStart } from '../../../src/temporal/payments';

const PAYMENT: PaymentToStart = {
  companyId: 1,
  transactionId: 'a-payment',
  paymentMethod: 'card',
  amountCents: 100,
  currency: 'BRL',
  merchantOrderId: 'order-1',
};
const ANSWER = { status: 200, body: { status: 'approved' } };
const ANSWERED = { kind: 'answered', answer: ANSWER };
const STARTED = { kind: 'started' };
const NOT_STARTED = { kind: 'not_started' };

/** Attempts of a process whose workflow starts end like this. */
function attemptsWith(startHere: () => Promise<boolean>): FirstAttempts {
  return new FirstAttempts(() => ({ startHere }), 2);
}

function inMs(ms: number): Date {
  return new Date(Date.now() + ms);
}

describe('the first attempt of a payment in the process of its caller', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('answers the caller with what is committed, even before the start of the workflow returns', async () => {
    const attempts = attemptsWith(() => new Promise(() => undefined));
    const answered = attempts.make(PAYMENT, inMs(20_000));
    attempts.answer(PAYMENT.transactionId, ANSWER);
    expect(await answered).toEqual(ANSWERED);
  });

  it('answers a repeated request of the same payment with the same answer', async () => {
    const attempts = attemptsWith(() => Promise.resolve(true));
    const first = attempts.make(PAYMENT, inMs(20_000));
    const repeated = attempts.join(PAYMENT.transactionId, inMs(20_000));
    attempts.answer(PAYMENT.transactionId, ANSWER);
    expect(await Promise.all([first, repeated])).toEqual([ANSWERED, ANSWERED]);
  });

  it('is not made again for a repeated request whose payment is made elsewhere', async () => {
    const attempts = attemptsWith(() => Promise.resolve(true));
    expect(await attempts.join(PAYMENT.transactionId, inMs(20_000))).toEqual(STARTED);
  });

  it.each([
    ['another worker gets the first task', () => Promise.resolve(false), STARTED],
    ['the start fails', () => Promise.reject(new Error('Temporal is down')), NOT_STARTED],
  ])('leaves the result to the workflow if %s', async (_when, startHere, expected) => {
    expect(await attemptsWith(startHere).make(PAYMENT, inMs(20_000))).toEqual(expected);
  });

  it('starts nothing while this process must not make first attempts', async () => {
    expect(await new FirstAttempts(() => null, 2).make(PAYMENT, inMs(20_000))).toEqual(NOT_STARTED);
  });

  it('answers an operation by its attempt, and ends its wait with the attempt at the payment', async () => {
    const attempts = attemptsWith(() => Promise.resolve(true));
    const make = (attemptId: string) =>
      attempts.make(PAYMENT, inMs(20_000), { attemptId, operation: 'refund' });
    const [first, second] = [make('one'), make('two')];
    attempts.answer('one', ANSWER);
    expect(await first).toEqual(ANSWERED);
    attempts.release(PAYMENT.transactionId);
    expect(await second).toEqual(STARTED);
  });

  it('leaves the result to the workflow when the attempt has ended without one', async () => {
    const attempts = attemptsWith(() => Promise.resolve(true));
    const answered = attempts.make(PAYMENT, inMs(20_000));
    attempts.release(PAYMENT.transactionId);
    expect(await answered).toEqual(STARTED);
  });

  it('is left to the workers while as many as this process can make have not ended, even if their callers left', async () => {
    const attempts = attemptsWith(() => Promise.resolve(true));
    const make = (transactionId: string) => attempts.make({ ...PAYMENT, transactionId }, inMs(100));
    const first = Promise.all([make('first'), make('second')]);
    await jest.advanceTimersByTimeAsync(100);
    expect(await first).toEqual([STARTED, STARTED]);
    expect(await make('third')).toEqual(NOT_STARTED);
    attempts.release('first');
    const third = make('third');
    await jest.advanceTimersByTimeAsync(100);
    expect(await third).toEqual(STARTED);
  });

  it('makes room again when its first task was lost or went to another process', async () => {
    const attempts = attemptsWith(() => Promise.resolve(false));
    const make = (transactionId: string) => attempts.make({ ...PAYMENT, transactionId }, inMs(100));
    for (const elsewhere of ['first', 'second', 'third']) expect(await make(elsewhere)).toEqual(STARTED);
    const here = attemptsWith(() => Promise.resolve(true));
    const lost = Promise.all(
      ['first', 'second'].map((id) => here.make({ ...PAYMENT, transactionId: id }, inMs(100))),
    );
    await jest.advanceTimersByTimeAsync(150_001);
    await lost;
    const next = here.make({ ...PAYMENT, transactionId: 'third' }, inMs(100));
    await jest.advanceTimersByTimeAsync(100);
    expect(await next).toEqual(STARTED);
  });

  it('leaves the result to the workflow at the deadline of the request', async () => {
    const attempts = attemptsWith(() => Promise.resolve(true));
    let ended = false;
    const answered = attempts.make(PAYMENT, inMs(500)).finally(() => (ended = true));
    await jest.advanceTimersByTimeAsync(499);
    expect(ended).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await answered).toEqual(STARTED);
  });

  it('leaves the result to the workflow as soon as a worker gets the task', async () => {
    let lose: () => void = () => undefined;
    const attempts = new FirstAttempts(
      () => ({ startHere: (_payment, _operation, onLost) => ((lose = onLost), Promise.resolve(true)) }),
      2,
    );
    const answered = attempts.make(PAYMENT, inMs(20_000));
    await jest.advanceTimersByTimeAsync(1);
    lose();
    expect(await answered).toEqual(STARTED);
  });
});
