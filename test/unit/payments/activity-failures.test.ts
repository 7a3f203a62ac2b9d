import { reportFailures } from '../../../activities/shared/failures';

it('the log line of a failed activity names its company and its payment, and nothing else of its input', async () => {
  const error = jest.fn();
  const failure = new TypeError('a bug');
  const reported = reportFailures({ error, warn: jest.fn() });
  const fail = reported('attemptPayment', (_input: object) => Promise.reject(failure));
  await expect(fail({ companyId: 7, transactionId: 'tx', secret: 'canary' })).rejects.toThrow('TypeError');
  await expect(fail({ subscriptionId: 's' })).rejects.toThrow('TypeError');
  expect(error.mock.calls.map(([fields]) => fields as object)).toEqual([
    { operation: 'attemptPayment', company_id: 7, transaction_id: 'tx', err: failure },
    { operation: 'attemptPayment', err: failure },
  ]);
});
