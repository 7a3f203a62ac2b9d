import { unwrapBody, api } from '../../api/client';

/** The response sets the session cookie. The token in its body is for API clients and is not stored. */
export async function signIn(body: { readonly email: string; readonly password: string }): Promise<void> {
  await unwrapBody(api.POST('/auth/login', { body }));
}
