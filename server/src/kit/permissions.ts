/** What a user of the dashboard may do, as `x-allowed-roles` of each operation says. */
export const roles = ['merchant', 'viewer', 'operator'] as const;

export type Role = (typeof roles)[number];

/** What an API key may be limited to. A key without scopes may do everything. */
export const scopes = [
  'checkout:write',
  'payments:read',
  'transfers:read',
  'transfers:write',
  'webhooks:read',
  'webhooks:write',
  'products:read',
  'products:write',
] as const;

export type Scope = (typeof scopes)[number];
