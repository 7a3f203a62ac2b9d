import type { Mailer } from '../../domain/companies/mail';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type {
  GatewaySecretRepository,
  RejectedSecret,
} from '../../persistence/gateways/gateway-secret-repository';

export interface NotifyRejectedCredentialsDeps {
  readonly gatewaySecrets: Pick<GatewaySecretRepository, 'claimRejected' | 'markNotified'>;
  readonly users: Pick<UserRepository, 'listAdminEmails'>;
  readonly mailer: Mailer;
  readonly now: () => Date;
}

/** Tells a company's users by mail that a gateway rejects their credentials: only they can correct them. */
export class NotifyRejectedCredentials {
  constructor(private readonly deps: NotifyRejectedCredentialsDeps) {}

  /** Sends the mails about at most `limit` secrets; returns how many. A mail that fails is sent again later. */
  async execute(limit: number): Promise<number> {
    const rejected = await this.deps.gatewaySecrets.claimRejected(limit, this.deps.now());
    const results = await Promise.allSettled(rejected.map((secret) => this.notify(secret)));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return rejected.length;
  }

  private async notify({ id, companyId, slug }: RejectedSecret): Promise<void> {
    const { users, mailer, gatewaySecrets, now } = this.deps;
    const subject = `${slug} rejects your credentials`;
    const text = [
      `A charge was not made, because ${slug} has rejected the credentials that are saved for it.`,
      'Until they are replaced, payments go to your other gateways. Without another gateway they fail, and so do the',
      'charges of subscriptions.',
      '',
      'Save new credentials with PUT /company/gateways.',
    ].join('\n');
    for (const to of await users.listAdminEmails(companyId)) await mailer.send({ to, subject, text });
    await gatewaySecrets.markNotified(id, now());
  }
}
