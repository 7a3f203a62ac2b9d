import type { Language } from '../users/language';

/** A plain text message to one recipient. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail. Each deployment has its own implementation. */
export interface Mailer {
  /** Resolves when the message is accepted for delivery; rejects otherwise. */
  send(mail: Mail): Promise<void>;
}

/** A user to write to. */
export interface MailRecipient {
  readonly email: string;
  readonly language: Language;
}
