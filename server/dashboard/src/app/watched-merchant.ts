/**
 * The merchant that an operator has chosen. It is stored for this tab only, so that two tabs can show two merchants.
 * Other users see their merchant, and have none here.
 */
const place = 'tillhook-watched-merchant';

export function watchedMerchant(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined;
}

/**
 * Null goes back to the operator's merchant. All loaded data belongs to another merchant, so the page is loaded
 * again.
 */
export function watchMerchant(id: string | null, address: string): void {
  if (id === null) sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, id);
  location.assign(address);
}

/** The next user of this tab begins with that user's merchant, because some users may not choose another one. */
export function forgetWatchedMerchant(): void {
  sessionStorage.removeItem(place);
}
