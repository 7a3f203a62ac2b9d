import { assertNever } from '../shared/assert-never';
import type { Permission } from '../users/permission';

/** What a key may do: `read` calls GET routes, `write` all others, and the rest those of one permission. */
export const API_KEY_SCOPES = [
  'read',
  'write',
  'payments:write',
  'subscriptions:write',
  'catalog:write',
  'customers:write',
  'gateways:write',
] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** The scopes of a key for which none were chosen: together they allow everything. */
export const ALL_SCOPES: readonly ApiKeyScope[] = ['read', 'write'];

/** The narrowest scope that gives an API key a permission; null for what only people do. */
export function scopeFor(permission: Permission): ApiKeyScope | null {
  switch (permission) {
    case 'read':
    case 'export':
      return 'read';
    case 'payments:write':
    case 'subscriptions:write':
    case 'catalog:write':
    case 'customers:write':
    case 'gateways:write':
      return permission;
    case 'account':
    case 'notes:write':
    case 'webhooks:write':
    case 'settings:write':
    case 'api_keys:write':
    case 'members:write':
    case 'security:write':
      return null;
    default:
      return assertNever(permission);
  }
}

export function scopesAllow(scopes: readonly ApiKeyScope[], permission: Permission): boolean {
  const narrowest = scopeFor(permission);
  if (narrowest === null) return false;
  return scopes.includes(narrowest) || (narrowest !== 'read' && scopes.includes('write'));
}
