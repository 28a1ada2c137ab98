import { type Contract, type Model, namedSchema } from '@tillhook/openapi';
import { bar, styles } from '../../src/kit/bar.ts';
import { basePath } from '../../src/kit/base-path.ts';
import { type Html, html } from '../../src/kit/html.ts';
import { htmlPage } from '../../src/kit/html-page.ts';
import { queryPlaceholder, resultsPlaceholder, type UnaddressedFile } from '../../src/pages/docs/built-docs.ts';
import type { Entry } from '../../src/pages/docs/search.ts';
import { assetTexts } from './assets.ts';
import { contents, making } from './contents.ts';
import { downloads } from './downloads.ts';
import { type Frame, layout } from './layout.ts';
import { headingId, headingsOf, type MarkdownOptions, renderMarkdown } from './markdown.ts';
import type { Page, PageGroup } from './page.ts';
import { docsSource } from './source.ts';

/** The paths are relative to `dist/`. The server serves the texts below `pages/` and `assets/`. */
export function docsFiles(contract: Contract): Map<string, string> {
  const source = docsSource(contract);
  const { model, publicUrl } = source;
  const groups = contents(source);
  const base = basePath(publicUrl);
  const frame: Frame = { name: model.title, base, groups };
  const options: MarkdownOptions = { base, addressOf: addressesIn(model) };
  const pages = groups.flatMap((group) => group.pages);
  const title = 'There is no such page';
  const missing = missingText(title, base);
  const unaddressed: Record<UnaddressedFile, string> = {
    'missing.html': String(layout(frame, { title, summary: title, body: missing })),
    'missing-elsewhere.html': String(missingPageElsewhere(frame, title, missing)),
    'search.html': String(
      layout(frame, { title: 'Search', summary: 'Search', body: resultsPlaceholder, query: queryPlaceholder }),
    ),
    'search.json': JSON.stringify(searchEntries(groups)),
  };
  return new Map([
    ...pages.flatMap((page): [string, string][] => [
      [`pages${page.path || '/index'}.html`, making(page.path, () => pageText(page, frame, options))],
      [`pages${markdownPath(page)}`, markdownOf(page, publicUrl)],
    ]),
    ['pages/llms.txt', llmsText(model, groups, `${publicUrl}/docs`)],
    ['pages/llms-full.txt', fullText(model, pages, publicUrl)],
    ...downloads(publicUrl).map(([path, text]): [string, string] => [`pages${path}`, text]),
    ...[...assetTexts()].map(([path, text]): [string, string] => [`assets${path}`, text]),
    ...Object.entries(unaddressed),
  ]);
}

function pageText(page: Page, frame: Frame, options: MarkdownOptions): string {
  const { title, summary, markdown, samples, trial, tool } = page;
  const body = html`<div class="text">${renderMarkdown(markdown, options)}
${tool}</div>
${samples && html`<div class="samples">${trial}${renderMarkdown(samples, options)}</div>`}`;
  const hasTabs = String(body).includes('class="tabs"');
  const scripts = [...(page.scripts ?? []), ...(hasTabs ? ['tabs.js'] : [])];
  const headings = headingsOf(`${markdown}\n${samples ?? ''}`);
  return String(layout(frame, { title, summary, body, page, headings, markdownAt: markdownPath(page), scripts }));
}

function addressesIn(model: Model): MarkdownOptions['addressOf'] {
  const codes = Object.keys(namedSchema(model, 'ErrorCode')['x-extensible-enum'] ?? {});
  const addresses = new Map<string, string>([
    ...model.operations.map(({ id }) => [id, `/docs/reference/${id}`] as const),
    ...model.webhooks.map(({ name }) => [name, `/docs/events#${name}`] as const),
    ...codes.map((code) => [code, `/docs/errors#${code}`] as const),
  ]);
  return (name) => addresses.get(name);
}

/** Shown beside the table of contents when a URL does not exist. */
function missingText(title: string, base: string): Html {
  return html`<h1>${title}</h1>
<p>The address is wrong, or the page is gone.</p>
<p>Search the documentation above, begin with its <a href="${base}/docs">overview</a>, or open the <a href="${base}/dashboard">dashboard</a>.</p>`;
}

/** Shown at an unknown URL outside the documentation, the dashboard and the checkout. */
function missingPageElsewhere({ name, base }: Frame, title: string, text: Html): Html {
  return htmlPage({
    title: `${title} · ${name}`,
    head: html`<meta name="robots" content="noindex">
${styles(base)}
<script type="module" src="${base}/docs/assets/docs.js"></script>`,
    body: html`${bar({ name, base })}
<main id="content" class="docs alone">${text}</main>`,
  });
}

function llmsText({ title, summary }: Model, groups: PageGroup[], docsUrl: string): string {
  const sections = groups.map(({ title: group, pages, isFolded }) => {
    const lines = pages.map(
      (page) => `- [${page.title}](${docsUrl}${markdownPath(page)}): ${page.summary.replaceAll('\n', ' ')}`,
    );
    return `## ${isFolded ? `API: ${group}` : group}\n\n${lines.join('\n')}\n`;
  });
  return `# ${title}

> ${summary}

The contract is [openapi.yaml](${docsUrl.replace(/\/docs$/, '')}/openapi.yaml), OpenAPI 3.1. Every page is Markdown.
[llms-full.txt](${docsUrl}/llms-full.txt) has the text of all pages.

${sections.join('\n')}`;
}

function fullText({ title, summary }: Model, pages: readonly Page[], publicUrl: string): string {
  const about = `# ${title}

> ${summary}

This is the text of every page of ${publicUrl}/docs. [llms.txt](${publicUrl}/docs/llms.txt) lists the pages.`;
  return [about, ...pages.map((page) => markdownOf(page, publicUrl).trim())].join('\n\n---\n\n');
}

function markdownPath({ path }: Page): string {
  return `${path || '/overview'}.md`;
}

function markdownOf({ markdown, samples = '' }: Page, publicUrl: string): string {
  const text = `${markdown}\n${samples}`.replace(/\]\(\//g, `](${publicUrl}/`);
  // Reduces consecutive blank lines to one, except inside programs.
  return text.replace(/^```[^\n]*\n[\s\S]*?^```$|\n{3,}/gm, (found) => (found.startsWith('`') ? found : '\n\n'));
}

export function searchEntries(groups: readonly PageGroup[]): Entry[] {
  return groups.flatMap(({ title, pages }) => pages.flatMap((page) => sectionsOf(page, title)));
}

function sectionsOf(page: Page, group: string): Entry[] {
  const [lead = '', ...parts] = page.markdown.split(/^#{2,3} /m);
  const [, ...paragraphs] = lead.split('\n\n');
  const { path, title } = page;
  const whole = { address: path, title, within: group, text: paragraphs.join('\n\n'), path };
  const seen = new Set([path]);
  const sections = parts.flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const address = `${path}#${headingId(heading)}`;
    if (seen.has(address)) return [];
    seen.add(address);
    const text = lines.join('\n').trim();
    return [{ address, title: heading.replaceAll('`', ''), within: title, text, path: '' }];
  });
  return [whole, ...sections];
}
