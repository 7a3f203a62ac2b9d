import { randomUUID } from 'node:crypto';
import type { Role } from '../../../src/domain/users/permission';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import type { EngineApi } from '../support/engine-api';
import { mailsTo } from '../support/outbox';
import { PASSWORD, registerUser, tokenClient, type TestUser } from './user-api';

export const newEmail = (): string => `user-${randomUUID()}@example.com`;

/** The newest mail's token, once one was sent after the `known` ones. */
export async function mailedToken(
  api: Pick<EngineApi, 'baseUrl'>,
  email: string,
  known: readonly string[] = [],
): Promise<string> {
  return waitFor(async () => {
    const mails = await mailsTo(api, email);
    const tokens = mails.flatMap(({ text }) => /#([\w-]{43})$/m.exec(text)?.[1] ?? []);
    return tokens.find((token) => !known.includes(token)) ?? false;
  });
}

export function accept(
  api: Pick<EngineApi, 'anonymous'>,
  token: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const body = { token, name: 'João Lima', password: PASSWORD, password_confirmation: PASSWORD };
  return api.anonymous('acceptInvitation', { body, headers });
}

/** A new company's owner, who has verified the address. */
export async function registerOwner(api: EngineApi): Promise<TestUser> {
  const user = await registerUser(api);
  await verifyAddress(api, user.registered.user.id);
  return user;
}

export async function verifyAddress({ engine }: Pick<EngineApi, 'engine'>, userId: number): Promise<void> {
  await engine.context.db.execute('UPDATE users SET email_verified_at = now() WHERE id = $1', [userId]);
}

/** A user who accepted an invitation of `owner`. */
export async function joined(api: EngineApi, { client }: Pick<TestUser, 'client'>, role: Role) {
  const email = newEmail();
  expectStatus(await client('inviteMember', { body: { email, role } }), 201);
  const { body } = expectStatus(await accept(api, await mailedToken(api, email)), 201);
  return { email, id: body.user.id, client: tokenClient(api.baseUrl, body.token), registered: body };
}
