import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { roleWords } from '../../../look/role-words.ts';
import { pageLanguage } from '../app/languages.ts';
import { useSession } from '../app/session.ts';
import { allowedRoles } from '../generated/allowed-roles.ts';

export type Change = keyof typeof allowedRoles;

/** Users see no button for an operation that the service would refuse to their role. */
export function useMayCall(operation: Change): boolean {
  return mayCall(useSession().user.role, operation);
}

/** Shown to users whose role may call none of the operations. */
export function ReadOnlyNote({ what, operations }: { what: string; operations: readonly Change[] }): ReactNode {
  const { role } = useSession().user;
  if (operations.some((operation) => mayCall(role, operation))) return null;
  return (
    <Text size="sm" c="dimmed">
      Your role is {roleWords(role).label}, so you can only view this page. To {what}, ask a colleague with the role{' '}
      {rolesThatMay(operations)}.
    </Text>
  );
}

export function rolesThatMay(operations: readonly Change[]): string {
  const roles: readonly string[] = operations.flatMap((operation): readonly string[] => allowedRoles[operation]);
  // An operator is no colleague.
  const ofColleagues = new Set(roles.filter((role) => role !== 'operator'));
  const labels = [...ofColleagues].map((role) => roleWords(role).label);
  return new Intl.ListFormat(pageLanguage, { type: 'disjunction' }).format(labels);
}

function mayCall(role: string, operation: Change): boolean {
  const allowed: readonly string[] = allowedRoles[operation];
  return allowed.includes(role);
}
