import type { Page } from './page.ts';
import type { PortalSource } from './portal-source.ts';

/** What stands in the place of a page that cannot be made. */
export const missingText =
  'This page cannot be made at the moment. What it is about stands in the contract, openapi.yaml.';

/** Makes a page. One that cannot be made says so and leaves the others as they are: an odd field is no outage. */
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
