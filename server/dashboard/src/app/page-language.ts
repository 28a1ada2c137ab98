/**
 * The words of a page are in one language, which the server chooses by this cookie, or else by the browser.
 * See docs/decisions/dashboard.md, "Each language of the dashboard is a build".
 */
import { basePath } from './base.ts';
import { pageLanguage, wordsFor } from './languages.ts';

const cookie = 'tillhook_language';
const seconds = 365 * 24 * 60 * 60;

/** Returns whether the page is loaded again, in the language that the user has chosen. Null is that of the browser. */
export function showInLanguage(chosen: string | null): boolean {
  const before = kept();
  if (chosen === before) return false;
  const life = chosen === null ? 0 : seconds;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox of spring 2024 has no `cookieStore`.
  document.cookie = `${cookie}=${chosen ?? ''}; path=${basePath}/dashboard; max-age=${life}; samesite=lax${secure}`;
  const isShown = chosen !== null && wordsFor(chosen) === pageLanguage;
  // Where the browser stores no cookie, the page would be loaded again for ever.
  if (isShown || kept() !== chosen) return false;
  location.reload();
  return true;
}

function kept(): string | null {
  return /(?:^|; )tillhook_language=([\w-]+)/.exec(document.cookie)?.[1] ?? null;
}
