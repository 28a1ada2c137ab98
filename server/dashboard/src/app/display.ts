import type { DisplayPreferences } from '@tillhook/sdk/session';
import { chooseFormats } from '../kit/locale.ts';
import { showTheme } from './color-scheme.ts';
import { showInLanguage } from './page-language.ts';

/**
 * Returns whether the page is loaded again, in another language. During an upgrade, a process of the previous release
 * answers without `display`.
 */
export function showAsChosen(display: DisplayPreferences | undefined, isThemeJustSaved = false): boolean {
  if (!display) return false;
  chooseFormats(display);
  showTheme(display.theme, isThemeJustSaved);
  return showInLanguage(display.language);
}
