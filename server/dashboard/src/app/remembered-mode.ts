import type { Mode } from '@tillhook/sdk/session';

const place = 'tillhook-mode';

export function isMode(value: string): value is Mode {
  return value === 'test' || value === 'live';
}

/** The mode that the user chose last. Addresses without a mode redirect to this mode. */
export function rememberedMode(): Mode {
  return localStorage.getItem(place) === 'live' ? 'live' : 'test';
}

export function rememberMode(mode: Mode): void {
  localStorage.setItem(place, mode);
}
