/** A message to one person, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail, by whatever the deployment has for it. */
export interface Mailer {
  /** Resolves when the message is accepted for delivery; throws when it is not. */
  send(mail: Mail): Promise<void>;
}
