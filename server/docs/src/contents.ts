/** All pages of the documentation, in order. The navigation, the search and `llms.txt` are made from this list. */
import { readFileSync } from 'node:fs';
import { readChangelog } from '@tillhook/openapi';
import { readEarlier, readPublished } from '../figures/bench-figures.ts';
import { benchmarksPage } from '../figures/benchmarks.page.ts';
import { readPublishedChaos } from '../figures/chaos.ts';
import { scalingPage } from '../figures/scaling.page.ts';
import { readPublishedScaling } from '../figures/scaling.ts';
import { changelogPage } from './changelog.page.ts';
import { clientsPage } from './clients.page.ts';
import { codesPage } from './codes.page.ts';
import { errorsPage } from './errors.page.ts';
import { eventsPage } from './events.page.ts';
import { insert } from './insertions.ts';
import { operationPage } from './operation.page.ts';
import type { Page, PageGroup } from './page.ts';
import { referencePage } from './reference.page.ts';
import type { Source } from './source.ts';
import { stylePage } from './style.page.ts';
import { verifierPage } from './verifier.page.ts';

export function contents(source: Source): PageGroup[] {
  const { model, publicUrl } = source;
  const guides = (...names: string[]) => names.map((name) => guide(source, name));
  return [
    { title: 'Start', pages: guides('overview', 'quick-start', 'dashboard', 'authentication', 'going-live') },
    {
      title: 'Webhooks',
      pages: [
        making('/events', () => eventsPage(model)),
        ...guides('verifying-signatures'),
        making('/verifier', () => verifierPage(source)),
        ...guides('retries', 'following-events'),
      ],
    },
    {
      title: 'Calling the API',
      pages: [
        making('/errors', () => errorsPage(model)),
        making('/codes', () => codesPage(model)),
        ...guides(
          'checkout-page',
          'payment-methods',
          'payment-links',
          'refunds',
          'idempotency',
          'pagination',
          'limits',
        ),
      ],
    },
    {
      title: 'Tools',
      pages: [
        ...guides('sdk'),
        making('/clients', () => clientsPage(publicUrl)),
        ...guides('developer-commands', 'first-hour', 'mock', 'test-cards'),
      ],
    },
    {
      title: 'About',
      pages: [making('/changelog', () => changelogPage(readChangelog(), model.operations))],
    },
    { title: 'API reference', pages: [making('/reference', () => referencePage(model))] },
    ...referenceGroups(source),
    {
      title: 'For operators',
      pages: [
        ...guides('operations'),
        making('/scaling', () => scalingPage(readPublishedScaling())),
        ...guides('runbooks'),
      ],
    },
    {
      title: 'For engineers',
      pages: [
        making('/benchmarks-and-chaos', () =>
          benchmarksPage({ report: readPublished(), earlier: readEarlier(), chaos: readPublishedChaos() }),
        ),
        making('/style', stylePage),
      ],
    },
  ];
}

function referenceGroups(source: Source): PageGroup[] {
  const { tags, operations } = source.model;
  return [...tags.keys()]
    .map((title) => ({
      title,
      pages: operations
        .filter(({ tag }) => tag === title)
        .map((operation) => making(`/reference/${operation.id}`, () => operationPage(source, operation))),
      isFolded: true,
    }))
    .filter(({ pages }) => pages.length > 0);
}

/** The first line of a guide is its title, and the first paragraph is one sentence about the purpose of the page. */
function guide(source: Source, name: string): Page {
  const text = readFileSync(`${import.meta.dirname}/../guides/${name}.md`, 'utf8');
  const [title = '', summary = ''] = text.split('\n\n');
  const path = name === 'overview' ? '' : `/${name}`;
  return {
    path,
    title: title.replace('# ', ''),
    summary: summary.trim(),
    markdown: making(`${path}, from server/docs/guides/${name}.md,`, () => insert(text, source)),
  };
}

/** Adds the name of the page to the error when the page cannot be rendered. */
export function making<Made>(page: string, make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new Error(`The page /docs${page} cannot be made: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}
