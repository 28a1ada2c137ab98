export const roles = ['administrator', 'developer', 'support', 'viewer', 'operator'] as const;

export type Role = (typeof roles)[number];

/** An operator belongs to the service, and not to the team of a merchant. */
export type MemberRole = Exclude<Role, 'operator'>;

export const memberRoles = roles.filter((role): role is MemberRole => role !== 'operator');

/** A key without scopes may call every operation. */
export const scopes = [
  'checkout:write',
  'payments:read',
  'payments:write',
  'transfers:read',
  'transfers:write',
  'webhooks:read',
  'webhooks:write',
  'products:read',
  'products:write',
] as const;

export type Scope = (typeof scopes)[number];
