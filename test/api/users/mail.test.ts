import { createMail } from '../../../src/composition/mail/create-mail';
import { loadConfig, loadSandboxConfig } from '../../../src/config';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { Database } from '../../../src/persistence/sql/transaction';
import { PRODUCTION } from '../../support/fixtures/production';
import { readStack } from '../../support/stack/stack';

const SMTP = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Payments <payments@example.com>' };
const mail = { to: 'maria@example.com', subject: 'Hello', text: 'Hello' };

let db: Database;
beforeAll(() => {
  db = new Database(connectDatabase(readStack().databaseUrl, 1));
});
afterAll(() => db.close());

it('a sandbox without a mail server keeps mail for developers', () => {
  expect(createMail(loadSandboxConfig({}), db).readOutbox).not.toBeNull();
});

it('mail that is sent by SMTP is not shown', () => {
  expect(createMail(loadSandboxConfig(SMTP), db).readOutbox).toBeNull();
  expect(createMail(loadConfig({ ...PRODUCTION, ...SMTP }), db).readOutbox).toBeNull();
});

it('production without a mail server keeps and shows no mail, and reports the missing setting', async () => {
  const { mailer, readOutbox } = createMail(loadConfig(PRODUCTION), db);
  expect(readOutbox).toBeNull();
  await expect(mailer.send(mail)).rejects.toThrow('SMTP_URL is not set');
});
