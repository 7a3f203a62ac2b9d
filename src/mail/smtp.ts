import { createTransport, type Transporter } from 'nodemailer';
import type { Mail, Mailer } from '../domain/companies/mail';

const TIMEOUT_MS = 10_000;

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  /** Who the messages are from. */
  readonly from: string;
  /** Whether a server that offers no TLS is refused. */
  readonly requireTls: boolean;
}

/** Hands messages to a mail server. */
export class SmtpMailer implements Mailer {
  private readonly transport: Transporter;

  constructor({ url, from, requireTls }: SmtpSettings) {
    const timeouts = {
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    };
    this.transport = createTransport({ url, requireTLS: requireTls, ...timeouts }, { from });
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    // An address is one address here: nodemailer would read a comma in a text as the start of another.
    await this.transport.sendMail({ to: { name: '', address: to }, subject, text });
  }
}
