import { REFERRER } from '../../support/fixtures/registration';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { mailsTo } from '../support/outbox';
import { accept, mailedToken, newEmail, registerOwner } from './team-api';
import { registerUser, registration, tokenClient } from './user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

/** The subject of the newest mail, once there are so many. */
const newestSubject = (email: string, count: number) =>
  waitFor(async () => {
    const mails = await mailsTo(api, email);
    return mails.length === count && mails[0]?.subject;
  });

/** A user whose browser asks for Portuguese. */
async function registerInPortuguese() {
  const body = registration();
  const headers = { ...REFERRER, 'Accept-Language': 'pt-BR,pt;q=0.9,en-US;q=0.8' };
  const answer = expectStatus(await api.anonymous('registerUser', { body, headers }), 201);
  return { email: body.email, client: tokenClient(api.baseUrl, answer.body.token) };
}

const forgotPassword = async (email: string) =>
  expectStatus(await api.anonymous('forgotPassword', { body: { email } }), 200);

describe('the mails to a user', () => {
  it('are in the language of the browser that registered', async () => {
    const { email, client } = await registerInPortuguese();
    expectStatus(await client('sendVerificationEmail'), 200);
    expect(await newestSubject(email, 1)).toBe('Confirme seu endereço de e-mail');
    await forgotPassword(email);
    expect(await newestSubject(email, 2)).toBe('Seu código para redefinir a senha');
  });

  it('are in English if the browser asks for no other language that there are texts in', async () => {
    const { email, client } = await registerUser(api);
    expect(expectStatus(await client('getMe'), 200).body.data.language).toBe('en');
    await forgotPassword(email);
    expect(await newestSubject(email, 1)).toBe('Your password reset token');
  });

  it('are in the language that the user chooses, which the audit log tells', async () => {
    const { email, client } = await registerUser(api);
    const body = { language: 'pt', name: ' Maria Lima ' };
    const changed = expectStatus(await client('updateMe', { body }), 200).body.data;
    expect(changed).toMatchObject({ language: 'pt', name: 'Maria Lima' });
    expect(expectStatus(await client('getMe'), 200).body.data).toEqual(changed);
    await forgotPassword(email);
    expect(await newestSubject(email, 1)).toBe('Seu código para redefinir a senha');

    expectStatus(await client('updateMe', { body }), 200);
    const log = expectStatus(await client('listAuditLog'), 200).body.data;
    const entries = log.filter(({ action }) => action === 'member.update_profile');
    expect(entries.map(({ changes }) => changes)).toEqual([
      { name: { from: 'Maria Souza', to: 'Maria Lima' }, language: { from: 'en', to: 'pt' } },
    ]);
  });

  it.each([
    ['language', { language: 'fr' }],
    ['name', { name: ' ' }],
  ])('do not change with an invalid %s', async (field, body) => {
    const { client } = await registerUser(api);
    const refused = expectStatus(await client('updateMe', { body }), 422);
    expect(Object.keys(refused.body.errors ?? {})).toEqual([field]);
  });

  it('about the team are in the language of their reader, not of the one who acts; an invitation is in both', async () => {
    const owner = await registerOwner(api);
    const email = newEmail();
    expectStatus(await owner.client('inviteMember', { body: { email, role: 'support' } }), 201);
    const token = await mailedToken(api, email);
    expect(await newestSubject(email, 1)).toMatch(/^Invitation to .* \/ Convite para /);
    const headers = { 'Accept-Language': 'pt' };
    const { id } = expectStatus(await accept(api, token, headers), 201).body.user;
    const params = { id: String(id) };
    expectStatus(await owner.client('updateMember', { params, body: { role: 'analyst' } }), 200);
    expect(await newestSubject(email, 2)).toMatch(/^Seu papel em /);
    expectStatus(await owner.client('removeMember', { params }), 204);
    expect(await newestSubject(email, 3)).toMatch(/^Seu acesso a .* terminou$/);
  });
});
