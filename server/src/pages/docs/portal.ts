import { namedSchema } from '@tillhook/openapi';
import { html } from '../../kit/html.ts';
import { contents } from './contents.ts';
import { firstHourText } from './first-hour.ts';
import { type Frame, layout, mostCharacters } from './layout.ts';
import { llmsText, markdownOf, markdownPath } from './llms.ts';
import { headingsOf, type MarkdownOptions, renderMarkdown } from './markdown.ts';
import { missingText } from './missing.page.ts';
import type { Page, PageGroup } from './page.ts';
import type { PortalSource } from './portal-source.ts';
import { quickStartFiles } from './quick-start-files.ts';
import { searchResults } from './search.page.ts';
import { lastAnswers, type Search, searchOf } from './search-index.ts';

/** A text of the documentation with its type. */
export interface PortalText {
  type:
    | 'html'
    | `text/${'markdown' | 'plain' | 'css' | 'javascript'}`
    | 'image/svg+xml'
    | `application/${'json' | 'yaml'}`;
  text: string;
}

export interface Portal {
  search: Search;
  /** The page with the results of a search. */
  searchPage(asked: string): Promise<PortalText>;
  /** The page for an address that does not exist. */
  missingPage(): PortalText;
  /** The text at a path below `/docs`. It never changes. */
  textAt(path: string): PortalText | undefined;
}

/** The whole documentation. A page is rendered when it is first requested. */
export function createPortal(source: PortalSource, base: string): Portal {
  const { model, publicUrl } = source;
  const groups = contents(source);
  const frame: Frame = { name: model.title, base, groups };
  const options: MarkdownOptions = { base, addressOf: addressesIn(source) };
  const search = searchOf(groups);
  const lastPages = lastAnswers<PortalText>();
  const texts = new Map<string, () => PortalText>([
    ['/llms.txt', () => ({ type: 'text/plain', text: llmsText(model, groups, `${publicUrl}/docs`) })],
    ['/first-hour.txt', () => ({ type: 'text/plain', text: firstHourText(publicUrl) })],
  ]);
  for (const [path, text] of quickStartFiles(publicUrl)) {
    const type = path.endsWith('.json') ? 'application/json' : 'text/plain';
    texts.set(path, () => ({ type, text: text() }));
  }
  for (const page of groups.flatMap(({ pages }: PageGroup) => pages)) {
    texts.set(page.path, () => ({ type: 'html', text: pageText(page, frame, options) }));
    texts.set(markdownPath(page), () => ({ type: 'text/markdown', text: markdownOf(page, publicUrl) }));
  }
  const rendered = new Map<string, PortalText>();
  return {
    search,
    searchPage(asked) {
      const query = asked.slice(0, mostCharacters).toWellFormed();
      return lastPages(`${asked.length > mostCharacters} ${query}`, async () => {
        const body = searchResults({ ...(await search(asked, 50)), query, base });
        return { type: 'html', text: String(layout(frame, { title: 'Search', summary: 'Search', body, query })) };
      });
    },
    missingPage() {
      const [title, body] = ['There is no such page', missingText(base)];
      return { type: 'html', text: String(layout(frame, { title, summary: title, body })) };
    },
    textAt(path) {
      const text = rendered.get(path) ?? texts.get(path)?.();
      if (text) rendered.set(path, text);
      return text;
    },
  };
}

function pageText(page: Page, frame: Frame, options: MarkdownOptions): string {
  const { title, summary, markdown, samples, trial, tool } = page;
  const body = html`<div class="text">${renderMarkdown(markdown, options)}
${tool}</div>
${samples && html`<div class="samples">${trial}${renderMarkdown(samples, options)}</div>`}`;
  const hasTabs = String(body).includes('class="tabs"');
  const scripts = [...(page.scripts ?? []), ...(hasTabs ? ['tabs.js'] : [])];
  const headings = samples ? [] : headingsOf(markdown);
  return String(layout(frame, { title, summary, body, page, headings, markdownAt: markdownPath(page), scripts }));
}

/** Returns a function that finds the explanation of an operation, event or error by its name. */
function addressesIn({ model }: PortalSource): MarkdownOptions['addressOf'] {
  const codes = Object.keys(namedSchema(model, 'ErrorCode')['x-extensible-enum'] ?? {});
  const addresses = new Map<string, string>([
    ...model.operations.map(({ id }) => [id, `/docs/reference/${id}`] as const),
    ...model.webhooks.map(({ name }) => [name, `/docs/events#${name}`] as const),
    ...codes.map((code) => [code, `/docs/errors#${code}`] as const),
  ]);
  return (name) => addresses.get(name);
}
