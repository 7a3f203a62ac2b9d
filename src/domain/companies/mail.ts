import type { Language } from '../users/language';

/** A plain text message to one recipient. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The mail server has certainly not taken the message, so that it can be sent again. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
}

/** Sends mail. Each deployment has its own implementation. */
export interface Mailer {
  /** Resolves when the message is accepted for delivery; rejects otherwise, with `MailNotSent` if that is certain. */
  send(mail: Mail): Promise<void>;
}

/** A user to write to. */
export interface MailRecipient {
  readonly email: string;
  readonly language: Language;
}
