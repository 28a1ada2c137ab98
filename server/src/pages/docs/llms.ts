import type { Model } from '@tillhook/openapi';
import type { Page, PageGroup } from './page.ts';

/** A list of all pages for language models, in the format of llmstxt.org. */
export function llmsText({ title, summary }: Model, groups: PageGroup[], docsUrl: string): string {
  const sections = groups.map(({ title: group, pages, isFolded }) => {
    const lines = pages.map((page) => `- [${page.title}](${docsUrl}${markdownPath(page)}): ${page.summary}`);
    return `## ${isFolded ? `API: ${group}` : group}\n\n${lines.join('\n')}\n`;
  });
  return `# ${title}

> ${summary}

The contract is [openapi.yaml](${docsUrl.replace(/\/docs$/, '')}/openapi.yaml), OpenAPI 3.1. Every page is Markdown.

${sections.join('\n')}`;
}

/** The path of a page's Markdown, below `/docs`. */
export function markdownPath({ path }: Page): string {
  return `${path || '/overview'}.md`;
}

/** The whole text of a page. Its links are absolute, so they work from anywhere. */
export function markdownOf({ markdown, samples = '' }: Page, publicUrl: string): string {
  const text = `${markdown}\n${samples}`.replace(/\]\(\//g, `](${publicUrl}/`);
  // Not the blank lines inside a program.
  return text.replace(/^```[^\n]*\n[\s\S]*?^```$|\n{3,}/gm, (found) => (found.startsWith('`') ? found : '\n\n'));
}
