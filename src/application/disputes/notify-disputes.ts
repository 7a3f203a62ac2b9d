import type { Mailer } from '../../domain/companies/mail';
import type { DueDisputeMail } from '../../domain/disputes/dispute-mail';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { DisputeRepository } from '../../persistence/disputes/dispute-repository';
import { disputeMail } from '../mails/dispute-mails';

interface NotifyDisputesDeps {
  readonly disputes: Pick<DisputeRepository, 'claimDueMails' | 'markMailed'>;
  readonly users: Pick<UserRepository, 'listAdmins'>;
  readonly mailer: Mailer;
  readonly publicBaseUrl: string;
  readonly now: () => Date;
}

/**
 * Tells a company's owners and admins by mail that a dispute was opened, and that its evidence is due soon. What is due is committed
 * with the event, and cleared once every mail was accepted. A crash in between, or a mail server that fails at one of several
 * recipients, repeats the mails that were sent.
 */
export class NotifyDisputes {
  constructor(private readonly deps: NotifyDisputesDeps) {}

  /** Sends the mails about at most `limit` disputes; returns how many disputes. A mail that fails is sent again later. */
  async execute(limit: number): Promise<number> {
    const due = await this.deps.disputes.claimDueMails(limit, this.deps.now());
    const results = await Promise.allSettled(due.map((dispute) => this.notify(dispute)));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return due.length;
  }

  private async notify(dispute: DueDisputeMail): Promise<void> {
    const { disputes, users, mailer, publicBaseUrl } = this.deps;
    for (const admin of await users.listAdmins(dispute.companyId))
      await mailer.send(disputeMail(admin, dispute, publicBaseUrl));
    await disputes.markMailed(dispute);
  }
}
