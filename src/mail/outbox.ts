import type { Mail, Mailer } from '../domain/companies/mail';
import type { SandboxMail, SandboxMailRepository } from '../persistence/companies/sandbox-mail-repository';

const SHOWN = 100;

/** Keeps messages where a sandbox's developer finds them, instead of sending them. */
export class OutboxMailer implements Mailer {
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly mails: SandboxMailRepository) {}

  async send(mail: Mail): Promise<void> {
    const kept = this.mails.insert(mail).finally(() => this.underWay.delete(kept));
    this.underWay.add(kept);
    await kept;
  }

  /** The newest first, with whatever this process is still writing. */
  async list(): Promise<SandboxMail[]> {
    await Promise.allSettled(this.underWay);
    return this.mails.list(SHOWN);
  }
}
