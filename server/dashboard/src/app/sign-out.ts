import { TillhookError } from '@tillhook/sdk/session';
import { visitor } from './api.ts';
import { basePath } from './base.ts';
import { signInWays } from './sign-in-ways.ts';
import { forgetWatchedMerchant } from './watched-merchant.ts';

/** Reloads the page, so that no data of the session stays in memory. An ended session counts as signed out. */
export async function signOut(): Promise<void> {
  await visitor.session.signOut().catch((error: unknown) => {
    if (!(error instanceof TillhookError && error.status === 401)) throw error;
  });
  forgetWatchedMerchant();
  location.assign(`${basePath}/dashboard/${signInWays.company ? 'oidc/sign-out' : 'sign-in'}`);
}
