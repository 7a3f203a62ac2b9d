import { newSubscriptionId, newTransactionId } from '../../../src/domain/shared/ids';
import { workflowLink, workflowOfPayment } from '../../../src/temporal/workflow-link';

const UI = { url: 'https://temporal.example.com', namespace: 'payments' };

describe('the link to a workflow in the Temporal UI', () => {
  it('leads to the page of the workflow, which shows its newest run, and not to a list', () => {
    expect(workflowLink(UI, 'payment/1')).toEqual({
      id: 'payment/1',
      url: 'https://temporal.example.com/namespaces/payments/workflows/payment%2F1',
    });
  });

  it('is none in a deployment without a UI', () => {
    expect(workflowLink({ ...UI, url: null }, 'payment/1')).toEqual({ id: 'payment/1', url: null });
  });
});

describe('the workflow that worked on a payment', () => {
  const transactionId = newTransactionId();
  const subscriptionId = newSubscriptionId();
  const renewal = { transactionId, subscriptionId };
  const own = `payment/${transactionId}`;

  it('is its own', () => {
    expect(workflowOfPayment({ transactionId, subscriptionId: null }, [{ status: 'approved' }])).toBe(own);
  });

  it.each(['approved', 'declined', 'error', 'sent'] as const)(
    'is the subscription’s for a charge whose only attempt is %s: its step made it',
    (status) => {
      expect(workflowOfPayment(renewal, [{ status }])).toBe(`subscription/${subscriptionId}`);
    },
  );

  it('is the subscription’s for a charge that has no attempt yet', () => {
    expect(workflowOfPayment(renewal, [])).toBe(`subscription/${subscriptionId}`);
  });

  it.each([
    ['another gateway or a refund', ['declined', 'approved']],
    ['an inquiry', ['unknown']],
    ['an inquiry that found nothing', ['abandoned']],
  ] as const)('is its own for a charge of a subscription after %s', (_, statuses) => {
    expect(
      workflowOfPayment(
        renewal,
        statuses.map((status) => ({ status })),
      ),
    ).toBe(own);
  });
});
