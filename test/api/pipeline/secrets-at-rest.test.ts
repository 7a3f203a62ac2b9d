import { randomUUID } from 'node:crypto';
import { individual } from '../../unit/domain/subaccount-fixtures';
import { cardBody, newCustomer, register, startCompanyApi, type CompanyApi } from '../support/company-api';
import { expectStatus } from '../support/api-client';
import { findInDatabase } from '../support/find-in-database';
import { registerUser } from '../users/user-api';

let api: CompanyApi;
beforeAll(async () => {
  api = await startCompanyApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());

/** What the API and its worker export, which run in this process. */
const measured = (): Promise<string> => api.engine.context.metrics.registry.metrics();

it('the search finds plain text, which proves that the checks below can fail', async () => {
  const name = `Loja ${randomUUID()}`;
  await register(api, name);
  expect(await findInDatabase(api.engine, name)).toEqual(['companies.name']);
});

it('no card number, gateway secret, API key or bank account is in plain text in any table, log line or metric', async () => {
  const company = await register(api);
  const secret = `sk_canary_${randomUUID()}`;
  const account = '7788990011223';
  const occupation = `Florist ${randomUUID()}`;
  const number = '5105105105105100';
  const information = individual({
    professional_occupation: occupation,
    default_bank_account: { ...individual().default_bank_account, account_number: account },
  });
  const saved = await company.client('saveGateways', {
    body: {
      gateways: [
        { gateway_slug: 'gateway_1', secret_key: secret },
        {
          gateway_slug: 'gateway_2',
          secret_key: secret,
          use_as_subaccount: true,
          subaccount_information: information,
        },
      ],
    },
  });
  expectStatus(saved, 200);
  const token = await newCustomer(company);
  expectStatus(
    await company.client('createCustomerCard', { params: { token }, body: cardBody(number) }),
    201,
  );

  const metrics = await measured();
  // What is measured is about these requests and calls.
  expect(metrics).toMatch(/_count\{route="saveGateways",status="2xx"\} 1\n/);
  expect(metrics).toMatch(/gateway="gateway_1",vendor="simulator",operation="verifyCredentials"/);
  for (const canary of [number, secret, account, occupation, company.apiKey]) {
    expect(await findInDatabase(api.engine, canary)).toEqual([]);
    expect(api.logText()).not.toContain(canary);
    expect(metrics).not.toContain(canary);
  }
});

it('no password or access token is stored in plain text, and a reset token appears only in its mail', async () => {
  const [password, newPassword] = [`canary ${randomUUID()}`, `canary ${randomUUID()}`];
  const { email, registered } = await registerUser(api, { password, password_confirmation: password });
  const login = { body: { email, password } };
  const { token } = expectStatus(await api.anonymous('logIn', login), 200).body;
  expectStatus(await api.anonymous('forgotPassword', { body: { email } }), 200);
  const mails = (await api.engine.context.readOutbox?.()) ?? [];
  const resetToken = /^[\w-]{43}$/m.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[0] ?? '';
  const reset = { token: resetToken, password: newPassword, password_confirmation: newPassword };
  expectStatus(await api.anonymous('resetPassword', { body: reset }), 200);

  const metrics = await measured();
  for (const canary of [password, newPassword, token, registered.token, registered.company.api_key]) {
    expect(await findInDatabase(api.engine, canary)).toEqual([]);
    expect(api.logText()).not.toContain(canary);
    expect(metrics).not.toContain(canary);
  }
  expect(await findInDatabase(api.engine, resetToken)).toEqual(['sandbox_mails.body']);
  for (const text of [resetToken, email]) {
    expect(api.logText()).not.toContain(text);
    expect(metrics).not.toContain(text);
  }
});
