import { FirstAttempts } from '../../../src/application/payments/first-attempts';
import { FIRST_TASK_TIMEOUT_MS, type PaymentToStart } from '../../../src/temporal/payments';

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
  return new FirstAttempts(() => ({ startHere }));
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
    expect(await attempts.join(PAYMENT.transactionId, inMs(20_000))).toEqual(NOT_STARTED);
  });

  it.each([
    ['another worker gets the first task', () => Promise.resolve(false), STARTED],
    ['the start fails', () => Promise.reject(new Error('Temporal is down')), NOT_STARTED],
  ])('leaves the result to the workflow if %s', async (_when, startHere, expected) => {
    expect(await attemptsWith(startHere).make(PAYMENT, inMs(20_000))).toEqual(expected);
  });

  it('starts nothing while this process has no worker that takes first tasks', async () => {
    expect(await new FirstAttempts(() => null).make(PAYMENT, inMs(20_000))).toEqual(NOT_STARTED);
  });

  it('leaves the result to the workflow when the attempt has ended without one', async () => {
    const attempts = attemptsWith(() => Promise.resolve(true));
    const answered = attempts.make(PAYMENT, inMs(20_000));
    attempts.release(PAYMENT.transactionId);
    expect(await answered).toEqual(STARTED);
  });

  it.each([
    ['at the deadline of the request', 500, 500],
    ['when a lost task is given to another worker', 20_000, FIRST_TASK_TIMEOUT_MS],
  ])('leaves the result to the workflow %s', async (_when, deadlineMs, endsAfterMs) => {
    const attempts = attemptsWith(() => Promise.resolve(true));
    let ended = false;
    const answered = attempts.make(PAYMENT, inMs(deadlineMs)).finally(() => (ended = true));
    await jest.advanceTimersByTimeAsync(endsAfterMs - 1);
    expect(ended).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await answered).toEqual(STARTED);
  });
});
