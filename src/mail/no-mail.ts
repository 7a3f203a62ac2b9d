import type { Mailer } from '../domain/companies/mail';

/** The mailer of a deployment without a mail server: every send fails. */
export const noMail: Mailer = {
  send: () => Promise.reject(new Error('no mail is sent: SMTP_URL is not set')),
};
