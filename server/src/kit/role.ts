/** What a user of the dashboard may do, as `x-allowed-roles` of each operation says. */
export const roles = ['merchant', 'viewer', 'operator'] as const;

export type Role = (typeof roles)[number];
