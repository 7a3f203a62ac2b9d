import { escapeMarkdown } from '../../../src/domain/shared/markdown';
import { paymentSummary } from '../../../src/domain/payments/payment';
import { renderPaymentDetails } from '../../../workflows/payments/payment-details';
import { renderSubscriptionDetails } from '../../../workflows/subscriptions/subscription-details';

describe('a text from outside in the Markdown of the Temporal UI', () => {
  it.each([
    ['# paid', String.raw`\# paid`],
    ['- paid', String.raw`\- paid`],
    ['1. paid', String.raw`1\. paid`],
    ['[paid](https://evil.example)', String.raw`\[paid\](https://evil.example)`],
    ['<img src=x>', String.raw`\<img src=x\>`],
    ['&lt;b&gt;', String.raw`\&lt;b\&gt;`],
    ['**Status: approved**', String.raw`\*\*Status: approved\*\*`],
    ['a\n\n# b\u2028c\u202ed', 'a # b c d'],
    ['order-1001, 10% off', 'order-1001, 10% off'],
  ])('%j shows as itself', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  it('is cut if it is long', () => {
    expect(escapeMarkdown('x'.repeat(10_000))).toHaveLength(301);
  });

  it('cannot add a line to the details of a payment, nor format its summary', () => {
    const step = {
      status: 'processing',
      message: 'waits\n**Status: approved**',
      attempt: null,
      ready: false,
      openOperations: [],
      openResolutions: [],
      unknown: [],
      stuckAfterMs: 1,
      pollAt: null,
      recheckAt: null,
      needsOperator: null,
      clock: { offsetMs: 0, target: null },
    } as const;
    const attempt = {
      attempt: 1,
      attemptId: 'a',
      operation: 'charge',
      gateway: 'gateway_1',
      status: 'declined',
      responseCode: '05',
      responseMessage: 'no\n\n**Next:** [resolve it](https://evil.example)',
    } as const;
    const details = renderPaymentDetails({ step, attempts: [attempt], escalatedAttemptId: null });
    expect(details.match(/^\*\*/gm)).toHaveLength(2);
    expect(details).not.toMatch(/(?<!\\)\]\(/);
    const payment = {
      paymentMethod: 'pix',
      amountCents: 100,
      currency: 'BRL',
      merchantOrderId: '`x`',
    } as const;
    expect(paymentSummary(payment)).toContain(String.raw`order \`x\``);
  });

  it('cannot add a line to the details of a subscription', () => {
    const step = {
      status: 'active',
      openCharge: null,
      jitterMs: 0,
      openCommands: [],
      more: false,
      closedCycles: 0,
      events: [],
      due: { at: 0, description: 'renewal of x\n\n**Status: canceled**' },
      clock: { offsetMs: 0, target: null },
    } as const;
    expect(renderSubscriptionDetails(step, ['a\n# b']).match(/^(?:\*\*|#)/gm)).toHaveLength(3);
  });
});
