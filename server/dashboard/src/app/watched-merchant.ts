/** The merchant that an operator has chosen is stored for this tab only, so that two tabs can show two merchants. */
const place = 'tillhook-watched-merchant';

export function watchedMerchant(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined;
}

/** Null chooses the operator's own merchant. The page is reloaded, because it shows data of the previous merchant. */
export function watchMerchant(id: string | null, address: string): void {
  if (id === null) sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, id);
  location.assign(address);
}

/** Called on sign-out, because the next user of this tab may not be allowed to choose a merchant. */
export function forgetWatchedMerchant(): void {
  sessionStorage.removeItem(place);
}
