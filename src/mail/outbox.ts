import type { Mail, Mailer } from '../domain/companies/mail';
import type { SandboxMail, SandboxMailRepository } from '../persistence/companies/sandbox-mail-repository';

const LIST_LIMIT = 100;

/** Stores messages for the sandbox's developer instead of sending them. */
export class OutboxMailer implements Mailer {
  private readonly pendingWrites = new Set<Promise<void>>();

  constructor(private readonly mails: SandboxMailRepository) {}

  async send(mail: Mail): Promise<void> {
    const write = this.mails.insert(mail).finally(() => this.pendingWrites.delete(write));
    this.pendingWrites.add(write);
    await write;
  }

  /** Newest first. Waits for pending writes of this process. */
  async list(): Promise<SandboxMail[]> {
    await Promise.allSettled(this.pendingWrites);
    return this.mails.list(LIST_LIMIT);
  }
}
