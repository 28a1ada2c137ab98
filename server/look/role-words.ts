/** What the dashboard and the mail of an invitation say about a role. `UserRole` of the contract says it to programs. */
export interface RoleWords {
  label: string;
  what: string;
}

interface MemberRole extends RoleWords {
  inFull: string;
}

/** The roles that an administrator gives, in the order of the choice. */
export const memberRoles = {
  administrator: {
    label: 'Administrator',
    what: 'Can change everything',
    inFull: 'Everything, including the team, settings and transfers',
  },
  developer: {
    label: 'Developer',
    what: 'Endpoints, keys and test helpers',
    inFull: 'Views everything and manages endpoints, keys and test helpers, but cannot move money',
  },
  support: {
    label: 'Support',
    what: 'Checkouts, refunds and resends',
    inFull:
      'Views everything except secrets, creates and cancels checkouts, refunds up to the limit on this page, and resends webhooks',
  },
  viewer: {
    label: 'Viewer',
    what: 'Can view, not change',
    inFull: 'Views everything except secrets, and changes nothing',
  },
} as const satisfies Record<string, MemberRole>;

const known: Record<string, RoleWords> = {
  ...memberRoles,
  operator: { label: 'Operator', what: 'Operator of this service' },
};

/** A newer service may have a role that this page does not know. */
export function roleWords(role: string): RoleWords {
  return known[role] ?? { label: role, what: role };
}

export type KnownRole = keyof typeof memberRoles;

export function roleInOneLine(role: string): string {
  const { label, what } = roleWords(role);
  return `${label}: ${what.toLowerCase()}`;
}
