import { type Session, TillhookError } from '@tillhook/sdk/session';
import { visitor } from './api.ts';
import { forgetWatchedMerchant, watchedMerchant } from './watched-merchant.ts';

/** When the service refuses the merchant that an operator has chosen, the tab shows the user's own merchant again. */
export async function readSession(signal?: AbortSignal): Promise<Session> {
  const options = signal ? { signal } : {};
  const merchantId = watchedMerchant();
  if (merchantId === undefined) return visitor.session.get(options);
  try {
    return await visitor.session.get({ ...options, headers: { 'x-service-merchant': merchantId } });
  } catch (error) {
    const isRefused = error instanceof TillhookError && (error.status === 403 || error.status === 400);
    if (!isRefused) throw error;
    forgetWatchedMerchant();
    return visitor.session.get(options);
  }
}

export function isEndedSession(error: unknown): boolean {
  return error instanceof TillhookError && error.code === 'invalid_session';
}
