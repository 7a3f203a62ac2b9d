import type { Mailer } from '../../domain/companies/mail';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { WebhookEndpoint } from '../../persistence/webhooks/webhook-endpoint-repository';
import { endpointDisabledMail } from '../mails/company-mails';

/** Notifies a company's users by mail that the service disabled one of their webhook endpoints. */
export class NotifyEndpointDisabled {
  constructor(private readonly deps: { readonly users: UserRepository; readonly mailer: Mailer }) {}

  async execute({ id, companyId, url, disabledReason }: WebhookEndpoint): Promise<void> {
    if (disabledReason === null) return;
    const disabled = { id, url, reason: disabledReason };
    for (const admin of await this.deps.users.listAdmins(companyId))
      await this.deps.mailer.send(endpointDisabledMail(admin, disabled));
  }
}
