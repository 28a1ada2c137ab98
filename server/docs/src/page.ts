import type { Html } from '../../src/kit/html.ts';

/** The HTML, the Markdown, and the entries in the search and in `llms.txt` are made from this object. */
export interface Page {
  /** The path below `/docs`. It begins with a slash, and is empty for the overview. */
  path: string;
  title: string;
  /** One sentence about the page, shown in lists of pages. */
  summary: string;
  /** Begins with the title. Links begin with `/docs/`, without the path that a proxy may add. */
  markdown: string;
  /** Markdown that wide screens show beside the text, and narrow screens show below the text. */
  samples?: string;
  trial?: Html;
  tool?: Html;
  scripts?: readonly string[];
  /** The names of style sheets that only this page needs, without the file extension. */
  sheets?: readonly string[];
}

export interface PageGroup {
  title: string;
  pages: Page[];
  /** Whether the navigation shows the group closed unless the reader is on one of its pages. */
  isFolded?: boolean;
}
