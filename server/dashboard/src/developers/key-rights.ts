import type { ApiKey } from '@tillhook/sdk/session';
import { useMode } from '../app/use-tillhook.ts';
import { useMayCall } from '../kit/may-call.tsx';

const scopesAgainstRole: readonly string[] = ['checkout:write', 'payments:write', 'transfers:write', 'products:write'];

export interface KeyRights {
  /** Whether this user may have keys of this mode that may do everything. */
  everything: boolean;
  allows(scope: string): boolean;
  mayRoll(key: ApiKey): boolean;
}

/** A user who may not move money of this mode may not have a key that moves it either; the service checks the same. */
export function useKeyRights(): KeyRights {
  const isTest = useMode() === 'test';
  const everything = useMayCall('createTransfer') || isTest;
  const allows = (scope: string) => everything || !scopesAgainstRole.includes(scope);
  return { everything, allows, mayRoll: ({ scopes }) => (scopes === null ? everything : scopes.every(allows)) };
}
