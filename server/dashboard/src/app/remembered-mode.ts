import type { Mode } from '@tillhook/sdk/session';

const place = 'tillhook-mode';

export function isMode(value: string): value is Mode {
  return value === 'test' || value === 'live';
}

export function rememberedMode(): Mode {
  return localStorage.getItem(place) === 'live' ? 'live' : 'test';
}

export function rememberMode(mode: Mode): void {
  localStorage.setItem(place, mode);
}
