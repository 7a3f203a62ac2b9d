/** What a request may do. openapi.yaml names one for each authenticated route (`x-required-permission`). */
export const PERMISSIONS = [
  'account',
  'read',
  'export',
  'payments:write',
  'subscriptions:write',
  'catalog:write',
  'customers:write',
  'gateways:write',
  'notes:write',
  'webhooks:write',
  'settings:write',
  'api_keys:write',
  'members:write',
  'security:write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The roles of a company's users, the most powerful first. */
export const ROLES = ['owner', 'admin', 'support', 'analyst', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

const ADMINS: readonly Role[] = ['owner', 'admin'];

/** Which roles have a permission. `account` is what users do with their own account, so every role has it. */
const ROLES_WITH: Readonly<Record<Permission, readonly Role[]>> = {
  account: ROLES,
  read: ROLES,
  export: ['owner', 'admin', 'analyst'],
  'payments:write': ['owner', 'admin', 'support'],
  'subscriptions:write': ADMINS,
  'catalog:write': ADMINS,
  'customers:write': ADMINS,
  'gateways:write': ADMINS,
  'notes:write': ['owner', 'admin', 'support'],
  'webhooks:write': ADMINS,
  'settings:write': ADMINS,
  'api_keys:write': ADMINS,
  'members:write': ADMINS,
  'security:write': ['owner'],
};

export function roleMay(role: Role, permission: Permission): boolean {
  return ROLES_WITH[permission].includes(role);
}

export function permissionsOf(role: Role): Permission[] {
  return PERMISSIONS.filter((permission) => roleMay(role, permission));
}
