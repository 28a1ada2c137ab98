/**
 * The merchant that an operator of the service looks at. It is kept for this tab alone, so that two tabs can look at two
 * merchants; everybody else looks at their own, and has none here.
 */
const place = 'tillhook-watched-merchant';

export function watchedMerchant(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined;
}

/** Null goes back to the operator's own. Everything that was loaded is of another merchant, so the page is loaded anew. */
export function watchMerchant(id: string | null, address: string): void {
  if (id === null) sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, id);
  location.assign(address);
}

/** The next user of this tab begins with the user's own merchant, and some users may look at no other. */
export function forgetWatchedMerchant(): void {
  sessionStorage.removeItem(place);
}
