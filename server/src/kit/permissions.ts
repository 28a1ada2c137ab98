export const roles = ['administrator', 'developer', 'support', 'viewer', 'operator'] as const;

export type Role = (typeof roles)[number];

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
