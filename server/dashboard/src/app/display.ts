import type { DisplayPreferences } from '@tillhook/sdk/session';
import { chooseFormats } from '../kit/locale.ts';
import { showTheme } from './color-scheme.ts';

/** During an upgrade, a process of the previous release answers without `display`. */
export function showAsChosen(display: DisplayPreferences | undefined): void {
  if (!display) return;
  chooseFormats(display);
  showTheme(display.theme);
}
