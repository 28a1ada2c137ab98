interface RoleWords {
  label: string;
  what: string;
}

const known: Record<string, RoleWords> = {
  administrator: { label: 'Administrator', what: 'May change everything' },
  developer: { label: 'Developer', what: 'Endpoints, keys and test helpers' },
  support: { label: 'Support', what: 'Checkouts, refunds and resends' },
  viewer: { label: 'Viewer', what: 'May read, not change' },
  operator: { label: 'Operator', what: 'Operator of this service' },
};

/** A newer service may have a role that this page does not know. */
export function roleWords(role: string): RoleWords {
  return known[role] ?? { label: role, what: role };
}
