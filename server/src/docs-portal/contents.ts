/** Every page of the documentation, in order: the navigation, the search and `llms.txt` are this list. */
import { readChangelog } from '@tillhook/openapi';
import { benchmarksPage } from './benchmarks.page.ts';
import { changelogPage } from './changelog.page.ts';
import { errorsPage } from './errors.page.ts';
import { eventsPage } from './events.page.ts';
import { readPublished } from './figures.ts';
import { guide, pathOfGuide } from './guides.ts';
import { makePage } from './make-page.ts';
import { operationPage } from './operation.page.ts';
import type { Page, PageGroup } from './page.ts';
import type { PortalSource } from './portal-source.ts';
import { verifierPage } from './verifier.page.ts';

export function contents(source: PortalSource): PageGroup[] {
  const { document, operations } = source;
  const page = (path: string, title: string, make: () => Page) => makePage(source, { path, title }, make);
  const guides = (...names: string[]) =>
    names.map((name) => page(pathOfGuide(name), name.replaceAll('-', ' '), () => guide(source, name)));
  return [
    { title: 'Start', pages: guides('overview', 'quick-start', 'authentication', 'going-live') },
    {
      title: 'Webhooks',
      pages: [
        page('/events', 'Events', () => eventsPage(document)),
        ...guides('verifying-signatures'),
        page('/verifier', 'Signature verifier', () => verifierPage(document)),
        ...guides('retries'),
      ],
    },
    {
      title: 'Calling the API',
      pages: [page('/errors', 'Errors', () => errorsPage(document)), ...guides('idempotency', 'pagination', 'limits')],
    },
    { title: 'Tools', pages: guides('sdk', 'mock', 'test-cards') },
    {
      title: 'About',
      pages: [
        page('/changelog', 'Changelog', () => changelogPage(readChangelog(), operations)),
        page('/benchmarks', 'Benchmarks', () => benchmarksPage(readPublished())),
      ],
    },
    ...referenceGroups(source),
  ];
}

/** One for each tag of the contract that has operations. */
function referenceGroups(source: PortalSource): PageGroup[] {
  const { document, operations } = source;
  return document.tags
    .map(({ name }: { name: string }) => ({
      title: name,
      pages: operations
        .filter(({ definition }) => definition.tags[0] === name)
        .map((operation) => {
          const known = { path: `/reference/${operation.id}`, title: operation.definition.summary };
          return makePage(source, known, () => operationPage(source, operation));
        }),
      isFolded: true,
    }))
    .filter(({ pages }: PageGroup) => pages.length > 0);
}
