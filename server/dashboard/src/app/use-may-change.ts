import { useSession } from './session.ts';

/** Whether the user may change anything of the merchant. Viewers and operators read; the service refuses them anyhow. */
export function useMayChange(): boolean {
  return useSession().user.role === 'merchant';
}
