import { randomUUID } from 'node:crypto';

export const PASSWORD = 'correct horse battery';

/** A registration that nobody else makes. */
export function registration(change: object = {}): Record<string, unknown> & { email: string } {
  return {
    name: 'Maria Souza',
    email: `maria-${randomUUID()}@example.com`,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    company_name: 'Loja do Centro',
    ...change,
  };
}

export const REFERRER = { 'x-client-id': 'partner-site' };
