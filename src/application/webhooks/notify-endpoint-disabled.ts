import type { Mailer } from '../../domain/companies/mail';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { WebhookEndpoint } from '../../persistence/webhooks/webhook-endpoint-repository';

const REASONS = {
  gone: 'It answered 410: it wants no more events.',
  failing: 'Every attempt to reach it has failed for five days.',
} as const;

/** Tells a company's users by mail that the service has turned one of their webhook endpoints off. */
export class NotifyEndpointDisabled {
  constructor(private readonly deps: { readonly users: UserRepository; readonly mailer: Mailer }) {}

  async execute({ id, companyId, url, disabledReason }: WebhookEndpoint): Promise<void> {
    if (disabledReason === null) return;
    const subject = `Webhook endpoint ${id} was turned off`;
    const text = [
      `We no longer send events to ${url}.`,
      REASONS[disabledReason],
      '',
      'What was still on its way to it counts as failed. Once the receiver works again, turn the endpoint on and resend',
      'those deliveries, or read what you missed with GET /events.',
    ].join('\n');
    for (const to of await this.deps.users.emailsOf(companyId)) {
      await this.deps.mailer.send({ to, subject, text });
    }
  }
}
