/** All pages of the documentation, in order. The navigation, the search and `llms.txt` are made from this list. */
import { readChangelog } from '@tillhook/openapi';
import { changelogPage } from './changelog.page.ts';
import { clientsPage } from './clients.page.ts';
import { codesPage } from './codes.page.ts';
import { errorsPage } from './errors.page.ts';
import { eventsPage } from './events.page.ts';
import { readEarlier, readPublished } from './figures/bench-figures.ts';
import { benchmarksPage } from './figures/benchmarks.page.ts';
import { readPublishedChaos } from './figures/chaos-figures.ts';
import { scalingPage } from './figures/scaling.page.ts';
import { readPublishedScaling } from './figures/scaling.ts';
import { guide, pathOfGuide } from './guides.ts';
import { makePage } from './make-page.ts';
import { operationPage } from './operation.page.ts';
import type { Page, PageGroup } from './page.ts';
import type { PortalSource } from './portal-source.ts';
import { referencePage } from './reference.page.ts';
import { stylePage } from './style.page.ts';
import { verifierPage } from './verifier.page.ts';

export function contents(source: PortalSource): PageGroup[] {
  const { model, publicUrl } = source;
  const page = (path: string, title: string, make: () => Page) => makePage(source, { path, title }, make);
  const guides = (...names: string[]) =>
    names.map((name) => page(pathOfGuide(name), name.replaceAll('-', ' '), () => guide(source, name)));
  return [
    { title: 'Start', pages: guides('overview', 'quick-start', 'authentication', 'going-live') },
    {
      title: 'Webhooks',
      pages: [
        page('/events', 'Events', () => eventsPage(model)),
        ...guides('verifying-signatures'),
        page('/verifier', 'Signature verifier', () => verifierPage(source)),
        ...guides('retries', 'following-events'),
      ],
    },
    {
      title: 'Calling the API',
      pages: [
        page('/errors', 'Errors', () => errorsPage(model)),
        page('/codes', 'Codes', () => codesPage(model)),
        ...guides('checkout-page', 'refunds', 'idempotency', 'pagination', 'limits'),
      ],
    },
    {
      title: 'Tools',
      pages: [
        ...guides('sdk'),
        page('/clients', 'Clients in other languages', () => clientsPage(publicUrl)),
        ...guides('developer-commands', 'first-hour', 'mock', 'test-cards'),
      ],
    },
    {
      title: 'About',
      pages: [page('/changelog', 'Changelog', () => changelogPage(readChangelog(), model.operations))],
    },
    { title: 'API reference', pages: [page('/reference', 'All operations', () => referencePage(model))] },
    ...referenceGroups(source),
    {
      title: 'For operators',
      pages: [
        ...guides('operations'),
        page('/scaling', 'Scaling', () => scalingPage(readPublishedScaling())),
        ...guides('runbooks'),
      ],
    },
    {
      title: 'For engineers',
      pages: [
        page('/benchmarks-and-chaos', 'Benchmarks and chaos', () =>
          benchmarksPage({ report: readPublished(), earlier: readEarlier(), chaos: readPublishedChaos() }),
        ),
        page('/style', 'Style', stylePage),
      ],
    },
  ];
}

/** One group for each tag of the contract that has operations. */
function referenceGroups(source: PortalSource): PageGroup[] {
  const { tags, operations } = source.model;
  return [...tags.keys()]
    .map((title) => ({
      title,
      pages: operations
        .filter(({ tag }) => tag === title)
        .map((operation) => {
          const known = { path: `/reference/${operation.id}`, title: operation.summary };
          return makePage(source, known, () => operationPage(source, operation));
        }),
      isFolded: true,
    }))
    .filter(({ pages }) => pages.length > 0);
}
