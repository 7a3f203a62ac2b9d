import type { Config } from './config';
import type { Mailer } from './domain/mail';
import type { ReadOutbox } from './http/sandbox-outbox';
import { noMail } from './mail/no-mail';
import { OutboxMailer } from './mail/outbox';
import { SmtpMailer } from './mail/smtp';
import { SandboxMailRepository } from './persistence/sandbox-mail-repository';
import type { Database } from './persistence/transaction';

export interface MailParts {
  readonly mailer: Mailer;
  /** Null where mail really goes out. */
  readonly readOutbox: ReadOutbox | null;
}

/** A mail server where one is configured; else the sandbox's outbox, and in production nothing. */
export function composeMail({ mail, production }: Config, db: Database): MailParts {
  if (mail.smtpUrl !== null) {
    const mailer = new SmtpMailer({ url: mail.smtpUrl, from: mail.from, requireTls: production });
    return { mailer, readOutbox: null };
  }
  if (production) return { mailer: noMail, readOutbox: null };
  const outbox = new OutboxMailer(new SandboxMailRepository(db));
  return { mailer: outbox, readOutbox: () => outbox.list() };
}
