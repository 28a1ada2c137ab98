import type { Page } from './page.ts';
import type { PortalSource } from './portal-source.ts';

/** The text of a page that cannot be made. */
export const missingText =
  'This page cannot be made at the moment. The contract, openapi.yaml, has the same information.';

/** Makes a page. When that fails, the page says so, and all other pages work. */
export function makePage(
  { log }: Pick<PortalSource, 'log'>,
  known: Pick<Page, 'path' | 'title'>,
  make: () => Page,
): Page {
  try {
    return make();
  } catch (error) {
    log.error({ err: error, path: known.path }, 'A page of the documentation cannot be made');
    return { ...known, summary: missingText, markdown: `# ${known.title}\n\n${missingText}` };
  }
}
