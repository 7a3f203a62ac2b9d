import type { Mailer } from '../../domain/companies/mail';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type {
  GatewaySecretRepository,
  RejectedSecret,
} from '../../persistence/gateways/gateway-secret-repository';
import { rejectedCredentialsMail } from '../mails/company-mails';

export interface NotifyRejectedCredentialsDeps {
  readonly gatewaySecrets: Pick<GatewaySecretRepository, 'claimRejected' | 'markNotified'>;
  readonly users: Pick<UserRepository, 'listAdmins'>;
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
    for (const admin of await users.listAdmins(companyId))
      await mailer.send(rejectedCredentialsMail(admin, slug));
    await gatewaySecrets.markNotified(id, now());
  }
}
