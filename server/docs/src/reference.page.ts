import type { Model, ModelOperation } from '@tillhook/openapi';
import { markdownTable } from '../../src/kit/tables.ts';
import type { Page } from './page.ts';

export function referencePage({ tags, operations }: Model): Page {
  const summary = 'Every operation on one page. On its own page you can send a request and see the answer.';
  const sections = [...tags.keys()].map((tag) =>
    sectionText(
      tag,
      operations.filter((one) => one.tag === tag),
    ),
  );
  return {
    path: '/reference',
    title: 'All operations',
    summary,
    markdown: `# All operations\n\n${summary}\n\n${sections.join('\n')}`,
  };
}

function sectionText(tag: string, operations: readonly ModelOperation[]): string {
  if (operations.length === 0) return '';
  const rows = operations.map(({ id, summary, method, path }) => [
    `[${summary}](/docs/reference/${id})`,
    `\`${method.toUpperCase()} ${path}\``,
  ]);
  return `## ${tag}\n\n${markdownTable(['Operation', 'Call'], rows)}`;
}
