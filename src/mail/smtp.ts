import { createTransport, type Transporter } from 'nodemailer';
import { MailNotSent, type Mail, type Mailer } from '../domain/companies/mail';

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
    try {
      await this.transport.sendMail({ to: { name: '', address: to }, subject, text });
    } catch (error) {
      if (isNotSent(error)) throw new MailNotSent('the mail server did not take the mail', { cause: error });
      throw error;
    }
  }
}

/** Errors of before the message is handed over: https://nodemailer.com/errors */
const BEFORE_SENDING = new Set(['EDNS', 'EAUTH', 'ENOAUTH', 'ETLS']);

/**
 * The connection was never made, or the server asked to try again later (RFC 5321, section 4.2.1: 4yz). A connection that broke or
 * timed out proves nothing: the server may have taken the mail.
 */
function isNotSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall, responseCode } = error as Error & {
    readonly code?: string;
    readonly syscall?: string;
    readonly responseCode?: number;
  };
  if (syscall === 'connect' || BEFORE_SENDING.has(code ?? '')) return true;
  return responseCode !== undefined && responseCode >= 400 && responseCode < 500;
}
