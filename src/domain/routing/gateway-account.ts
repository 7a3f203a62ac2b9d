import {
  CLIENT_ID_FIELD,
  SECRET_KEY_FIELD,
  type CredentialField,
  type CredentialValues,
} from './credential-fields';

/** The credentials with which calls are made: a company's, or the platform's own. */
export interface GatewayAccount {
  readonly values: CredentialValues;
  readonly clientId: string | null;
}

/** What is wrong with an account, one sentence for each field, without its value. Empty if nothing is. */
export function accountProblems(
  { values: { secretKey, credentials }, clientId }: GatewayAccount,
  fields: readonly CredentialField[],
): string[] {
  const given: Readonly<Record<string, string | null>> = {
    ...credentials,
    [SECRET_KEY_FIELD]: secretKey === '' ? null : secretKey,
    [CLIENT_ID_FIELD]: clientId,
  };
  const wrong = fields.flatMap(({ name, required, shape }) => {
    const value = given[name] ?? null;
    if (value === null) return required ? [`${name} is missing`] : [];
    return shape === null || shape.pattern.test(value) ? [] : [`${name} ${shape.rule}`];
  });
  const unknown = Object.keys(credentials).filter((name) => !fields.some((field) => field.name === name));
  return [...wrong, ...unknown.map((name) => `${name} is not one of its credentials`)];
}
