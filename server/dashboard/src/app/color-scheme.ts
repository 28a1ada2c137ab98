/**
 * The browser stores the user's theme, and `theme-first.js` reads it before the first paint.
 * See docs/decisions/dashboard.md, "A theme is the user's, and the browser keeps a copy".
 */
import { localStorageColorSchemeManager, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';
import type { Theme } from '@tillhook/sdk/session';

const stored = localStorageColorSchemeManager({ key: 'tillhook-theme' });

/** Where the browser allows no storage, the theme lasts until the page is left. */
let chosen: MantineColorScheme | undefined;
let show: ((scheme: MantineColorScheme) => void) | undefined;

export const colorSchemes: MantineColorSchemeManager = {
  ...stored,
  get: (usual) => chosen ?? stored.get(usual),
  set: (scheme) => {
    chosen = scheme;
    stored.set(scheme);
  },
  // Mantine shows a theme that another tab has stored, and a theme that `showTheme` receives.
  subscribe: (onUpdate) => {
    show = onUpdate;
    stored.subscribe(onUpdate);
  },
};

/** Whose theme the browser has. The documentation clears it when a reader chooses a theme there. */
const owner = 'tillhook-theme-of';

/**
 * A user who has not chosen a theme keeps the one that a reader chose in the documentation, until the user saves
 * one.
 */
export function showTheme(theme: Theme, isJustSaved: boolean): void {
  const scheme = theme === 'system' ? 'auto' : theme;
  if (scheme === 'auto' && !isJustSaved && !isOfUser()) return;
  keepOwner();
  if (colorSchemes.get('auto') === scheme) return;
  colorSchemes.set(scheme);
  show?.(scheme);
}

function isOfUser(): boolean {
  try {
    return localStorage.getItem(owner) !== null;
  } catch {
    return chosen !== undefined;
  }
}

function keepOwner(): void {
  try {
    localStorage.setItem(owner, 'user');
  } catch {
    // Without storage there is no theme of the documentation to keep.
  }
}
