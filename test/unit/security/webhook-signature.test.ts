import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, webhookHeaders } from '../../../src/security/webhook-signature';

const body = '{"event":"transaction.approved","customer":{"name":"João"}}';
const message = { id: 'msg_0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70', sentAt: new Date(), body };

describe('a signed webhook', () => {
  it('is accepted by the standardwebhooks library', () => {
    const secret = newWebhookSecret();
    expect(new Webhook(secret).verify(body, webhookHeaders(message, [secret]))).toEqual(JSON.parse(body));
  });

  it('is accepted with each secret during a rotation', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const headers = webhookHeaders(message, secrets);
    for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
  });

  it('equals the example of the Standard Webhooks library', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const sentAt = new Date(1_614_265_330_000);
    const headers = webhookHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt, body: '{"test": 2432232314}' },
      [secret],
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});
