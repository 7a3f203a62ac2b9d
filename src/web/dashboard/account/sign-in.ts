import { answerOf, api } from '../../api/client';

/** The answer sets the session's cookie; the token in its body is for programs, and no page keeps it. */
export async function signIn(body: { readonly email: string; readonly password: string }): Promise<void> {
  await answerOf(api.POST('/auth/login', { body }));
}
