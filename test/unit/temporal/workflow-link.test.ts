import { workflowLink } from '../../../src/temporal/workflow-link';

const UI = { url: 'https://temporal.example.com', namespace: 'payments' };

describe('the link to a workflow in the Temporal UI', () => {
  it('lists its runs, and those of the workflow that may have done its work', () => {
    const { id, url } = workflowLink(UI, 'payment/1', 'subscription/2');
    expect(id).toBe('payment/1');
    expect(new URL(url ?? '').searchParams.get('query')).toBe(
      'WorkflowId="payment/1" OR WorkflowId="subscription/2"',
    );
  });

  it('is none in a deployment without a UI', () => {
    expect(workflowLink({ ...UI, url: null }, 'payment/1')).toEqual({ id: 'payment/1', url: null });
  });
});
