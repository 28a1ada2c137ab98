import { readFileSync } from 'node:fs';
import { insert } from './insertions.ts';
import type { Page } from './page.ts';
import type { PortalSource } from './portal-source.ts';

/**
 * A page from `guides/<name>.md`. Its first line is the title. Its first paragraph says in one sentence what it is
 * for.
 */
export function guide(source: PortalSource, name: string): Page {
  const text = readFileSync(`${import.meta.dirname}/guides/${name}.md`, 'utf8');
  const [title = '', summary = ''] = text.split('\n\n');
  return {
    path: pathOfGuide(name),
    title: title.replace('# ', ''),
    summary: summary.trim(),
    markdown: insert(text, source),
  };
}

export function pathOfGuide(name: string): string {
  return name === 'overview' ? '' : `/${name}`;
}
