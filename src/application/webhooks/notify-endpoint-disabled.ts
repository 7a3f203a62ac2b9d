import type { Mailer } from '../../domain/companies/mail';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { WebhookEndpoint } from '../../persistence/webhooks/webhook-endpoint-repository';

const REASONS = {
  gone: 'The endpoint answered 410 Gone.',
  failing: 'Every attempt has failed for five days.',
} as const;

/** Notifies a company's users by mail that the service disabled one of their webhook endpoints. */
export class NotifyEndpointDisabled {
  constructor(private readonly deps: { readonly users: UserRepository; readonly mailer: Mailer }) {}

  async execute({ id, companyId, url, disabledReason }: WebhookEndpoint): Promise<void> {
    if (disabledReason === null) return;
    const subject = `Webhook endpoint ${id} was turned off`;
    const text = [
      `We no longer send events to ${url}.`,
      REASONS[disabledReason],
      '',
      'Its pending deliveries are marked as failed. Once the receiver works again, enable the endpoint and resend the',
      'deliveries, or read the missed events with GET /events.',
    ].join('\n');
    for (const to of await this.deps.users.listAdminEmails(companyId)) {
      await this.deps.mailer.send({ to, subject, text });
    }
  }
}
