import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { accept, joined, mailedToken, newEmail, registerOwner } from './team-api';
import { PASSWORD, registerUser, signIn, type TestUser } from './user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

const owner = () => registerOwner(api);
const byId = (id: number) => ({ id: String(id) });

async function auditOf({ client }: Pick<TestUser, 'client'>): Promise<string[]> {
  const { data } = expectStatus(await client('listAuditLog'), 200).body;
  return data.map(({ action }) => action);
}

describe('an invitation', () => {
  it('is mailed in both languages, creates a verified user with its role, works once, and is audited', async () => {
    const maria = await owner();
    const email = newEmail();
    const sent = expectStatus(await maria.client('inviteMember', { body: { email, role: 'support' } }), 201);
    expect(sent.body.data).toMatchObject({
      email,
      role: 'support',
      is_expired: false,
      invited_by: maria.email,
    });
    const token = await mailedToken(api, email);
    expect(JSON.stringify(sent.body)).not.toContain(token);
    const answer = expectStatus(await accept(api, token), 201);
    expect(answer.headers.get('set-cookie')).toMatch(/^session=/);
    expectStatus(await accept(api, token), 422);
    const joao = await signIn(api, { ...maria, email });
    expect(expectStatus(await joao.client('getMe'), 200).body.data).toMatchObject({
      ...{ email, role: 'support', email_verified: true, name: 'João Lima' },
      permissions: ['account', 'read', 'payments:write', 'notes:write'],
      company_id: maria.registered.user.company_id,
    });
    expect(
      expectStatus(await joao.client('inviteMember', { body: { email, role: 'support' } }), 403).body.code,
    ).toBe('forbidden');
    expect(await auditOf(maria)).toEqual(['member.join', 'member.invite']);
    expect(expectStatus(await maria.client('listInvitations'), 200).body.data).toEqual([]);
  });

  it('gives the inviter the same answer for an address with an account elsewhere, which only its reader learns', async () => {
    const [maria, stranger] = [await owner(), await owner()];
    const answers = [];
    for (const email of [stranger.email, newEmail()]) {
      const { body } = expectStatus(
        await maria.client('inviteMember', { body: { email, role: 'analyst' } }),
        201,
      );
      answers.push(Object.keys(body.data), body.data.role);
    }
    expect(answers.slice(0, 2)).toEqual(answers.slice(2));
    const refused = expectStatus(await accept(api, await mailedToken(api, stranger.email)), 409);
    expect(refused.body.code).toBe('invalid_state');
    expect((await signIn(api, stranger)).token).toEqual(expect.any(String));
  });

  it('is refused for a member and for an address with an open invitation; a resend waits, and a revoked token is worthless', async () => {
    const maria = await owner();
    const email = newEmail();
    const invite = (to: string) => maria.client('inviteMember', { body: { email: to, role: 'admin' } });
    expectStatus(await invite(maria.email.toUpperCase()), 422);
    const { id } = expectStatus(await invite(email), 201).body.data;
    expectStatus(await invite(email.toUpperCase()), 422);
    expectStatus(await maria.client('resendInvitation', { params: byId(id) }), 429);
    const first = await mailedToken(api, email);
    await api.engine.context.db.execute(
      `UPDATE user_invitations SET sent_at = now() - interval '6 minutes', expires_at = now() WHERE id = $1`,
      [id],
    );
    expectStatus(await accept(api, first), 422);
    expectStatus(await maria.client('resendInvitation', { params: byId(id) }), 200);
    const second = await mailedToken(api, email, [first]);
    expectStatus(await accept(api, first), 422);
    expectStatus(await maria.client('revokeInvitation', { params: byId(id) }), 204);
    expectStatus(await maria.client('revokeInvitation', { params: byId(id) }), 404);
    expectStatus(await accept(api, second), 422);
  });

  it('is not sent for an owner who has not verified the address', async () => {
    const { client } = await registerUser(api);
    const refused = await client('inviteMember', { body: { email: newEmail(), role: 'owner' } });
    expect(expectStatus(refused, 409).body.message).toMatch(/Verify your email address/);
  });

  it('is one of at most 20 open ones, also if they are sent concurrently', async () => {
    const { client } = await owner();
    const invite = () => client('inviteMember', { body: { email: newEmail(), role: 'read_only' } });
    const answers = await Promise.all(Array.from({ length: 22 }, invite));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  });
});

describe('members', () => {
  it('get a new role, which ends their sessions, and are removed, which ends everything they could still use', async () => {
    const maria = await owner();
    const joao = await joined(api, maria, 'admin');
    const invited = newEmail();
    expectStatus(await joao.client('inviteMember', { body: { email: invited, role: 'read_only' } }), 201);
    const token = await mailedToken(api, invited);
    const changed = await maria.client('updateMember', { params: byId(joao.id), body: { role: 'analyst' } });
    expect(expectStatus(changed, 200).body.data).toMatchObject({ id: joao.id, role: 'analyst' });
    expectStatus(await joao.client('getMe'), 401);
    const again = await signIn(api, { ...maria, email: joao.email });
    expectStatus(await again.client('createApiKey', { body: { name: 'Shop' } }), 403);
    expectStatus(await maria.client('removeMember', { params: byId(joao.id) }), 204);
    expectStatus(await again.client('getMe'), 401);
    expectStatus(await accept(api, token), 422);
    const body = { email: joao.email, password: PASSWORD };
    expectStatus(await api.anonymous('logIn', { body }), 401);
    expectStatus(await api.anonymous('forgotPassword', { body: { email: joao.email } }), 200);
    expectStatus(await maria.client('removeMember', { params: byId(joao.id) }), 404);
    const { data } = expectStatus(await maria.client('listMembers'), 200).body;
    expect(data.map(({ email }) => email)).toEqual([maria.email]);
    expect((await auditOf(maria)).slice(0, 2)).toEqual(['member.remove', 'member.change_role']);
    const back = await maria.client('inviteMember', { body: { email: joao.email, role: 'support' } });
    expectStatus(back, 201);
  });

  it('who are admins can neither make, change, remove nor sign out an owner', async () => {
    const maria = await owner();
    const { client } = await joined(api, maria, 'admin');
    const params = byId(maria.registered.user.id);
    const body = { email: newEmail(), role: 'owner' };
    const own = expectStatus(await maria.client('listMySessions'), 200).body.data[0]?.id ?? '';
    const answers = [
      await client('inviteMember', { body }),
      await client('updateMember', { params, body: { role: 'admin' } }),
      await client('removeMember', { params }),
      await client('revokeMemberSession', { params: { ...params, session_id: own } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expectStatus(await maria.client('getMe'), 200);
  });

  it.each(['removeMember', 'updateMember'] as const)(
    'always include an owner: of two owners that leave at the same time by %s, one gets 409',
    async (route) => {
      const maria = await owner();
      const joao = await joined(api, maria, 'owner');
      const leave = ({ client }: Pick<TestUser, 'client'>, id: number) =>
        client(route, { params: byId(id), ...(route === 'updateMember' && { body: { role: 'admin' } }) });
      const answers = await Promise.all([leave(maria, maria.registered.user.id), leave(joao, joao.id)]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([route === 'removeMember' ? 204 : 200, 409]);
      const rows = await api.engine.context.db.query(
        `SELECT 1 FROM users WHERE company_id = $1 AND role = 'owner' AND removed_at IS NULL`,
        [maria.registered.user.company_id],
      );
      expect(rows).toHaveLength(1);
    },
  );
});

describe('sessions', () => {
  it('are listed with device and network, newest first, and end at once', async () => {
    const maria = await owner();
    const other = await signIn(api, maria);
    const list = async () => expectStatus(await maria.client('listMySessions'), 200).body.data;
    const [newest, own] = await list();
    expect([newest?.is_current, own?.is_current]).toEqual([false, true]);
    expect(newest).toMatchObject({ device: 'node', network: '127.0.0.0/24', last_seen_at: null });
    const params = { session_id: newest?.id ?? '' };
    expectStatus(await maria.client('revokeMySession', { params }), 204);
    expectStatus(await maria.client('revokeMySession', { params }), 404);
    expectStatus(await other.client('getMe'), 401);
    expect(await list()).toEqual([{ ...own, last_seen_at: expect.any(String) }]);
    expect(await auditOf(maria)).toEqual(['session.revoke']);
  });

  it('of a member end by an admin', async () => {
    const maria = await owner();
    const joao = await joined(api, maria, 'support');
    expectStatus(await joao.client('listMemberSessions', { params: byId(maria.registered.user.id) }), 403);
    const { data } = expectStatus(
      await maria.client('listMemberSessions', { params: byId(joao.id) }),
      200,
    ).body;
    expect(data).toHaveLength(1);
    const params = { ...byId(joao.id), session_id: data[0]?.id ?? '' };
    expectStatus(await maria.client('revokeMemberSession', { params }), 204);
    expectStatus(await joao.client('getMe'), 401);
  });

  it('of one user are at most 100: the oldest ends when another begins', async () => {
    const maria = await owner();
    await api.engine.context.db.execute(
      `INSERT INTO user_sessions (jti, user_id, expires_at, created_at)
       SELECT gen_random_uuid(), $1, now() + interval '1 hour', now() + make_interval(secs => n)
         FROM generate_series(1, 99) n`,
      [maria.registered.user.id],
    );
    expectStatus(await maria.client('getMe'), 200);
    await signIn(api, maria);
    expectStatus(await maria.client('getMe'), 401);
  });
});
