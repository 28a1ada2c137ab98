import type { Html } from '../kit/html.ts';

/** One page of the documentation. Its HTML, its Markdown, what the search finds and `llms.txt` are all made from this. */
export interface Page {
  /** Below `/docs`, with a slash at the front; empty for the overview. */
  path: string;
  title: string;
  /** In one sentence; what a list of pages says of it. */
  summary: string;
  /** Begins with the title. Links lead to `/docs/…`, whatever path a proxy adds. */
  markdown: string;
  /** Markdown that stands beside the text where there is room, and below it elsewhere. */
  samples?: string;
  /** What is more than text, below it. */
  tool?: Html;
  scripts?: readonly string[];
}

/** The name of a group of pages in the contents, and the pages in their order. */
export interface PageGroup {
  title: string;
  pages: Page[];
  /** Folded away unless it is being read. */
  isFolded?: boolean;
}
