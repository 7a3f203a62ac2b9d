import type { Config } from '../../config';
import type { Mailer } from '../../domain/companies/mail';
import type { ReadOutbox } from '../../http/pages/sandbox-outbox';
import { noMail } from '../../mail/no-mail';
import { OutboxMailer } from '../../mail/outbox';
import { SmtpMailer } from '../../mail/smtp';
import { ReceiptRepository } from '../../persistence/checkout/receipt-repository';
import { SandboxMailRepository } from '../../persistence/companies/sandbox-mail-repository';
import type { Database } from '../../persistence/sql/transaction';

/** How mail is sent, and who gets receipts. */
export interface MailContext {
  readonly mailer: Mailer;
  /** Null if mail is sent by SMTP, or in production. */
  readonly readOutbox: ReadOutbox | null;
  readonly receipts: ReceiptRepository;
}

/** Uses SMTP if configured; otherwise the sandbox keeps mail in its outbox, and production sends none. */
export function createMail(config: Config, db: Database): MailContext {
  const mail = chooseMailer(config, db);
  const receipts = new ReceiptRepository(db, {
    isMailSent: mail.mailer !== noMail,
    forTestData: mail.readOutbox !== null,
  });
  return { ...mail, receipts };
}

function chooseMailer({ mail, production }: Config, db: Database): Omit<MailContext, 'receipts'> {
  if (mail.smtpUrl !== null) {
    const mailer = new SmtpMailer({ url: mail.smtpUrl, from: mail.from, requireTls: production });
    return { mailer, readOutbox: null };
  }
  if (production) return { mailer: noMail, readOutbox: null };
  const outbox = new OutboxMailer(new SandboxMailRepository(db));
  return { mailer: outbox, readOutbox: () => outbox.list() };
}
