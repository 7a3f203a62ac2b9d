import { createTransport, type Transporter } from 'nodemailer';
import type { Mail, Mailer } from '../domain/companies/mail';

const TIMEOUT_MS = 10_000;

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for implicit TLS. */
  readonly url: string;
  /** The `From` header. */
  readonly from: string;
  /** Refuse servers without TLS. */
  readonly requireTls: boolean;
}

/** Sends messages through a mail server. */
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
    // As an object: nodemailer would parse a comma in a string as the start of a second address.
    await this.transport.sendMail({ to: { name: '', address: to }, subject, text });
  }
}
