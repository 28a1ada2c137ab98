/**
 * HTML in the Markdown is shown as text, except `<details>` and `<summary>`. Only pictures of the documentation are
 * shown, and links lead only to this site or to http and https URLs.
 */
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml, type Html, html, trusted } from '../../src/kit/html.ts';
import { htmlTable } from '../../src/kit/tables.ts';
import { type CodeText, codeBlock, codeTabs, titleOf } from './code-block.ts';

export interface Heading {
  id: string;
  text: string;
  depth: number;
}

export interface MarkdownOptions {
  base: string;
  /** Returns the path, below `base`, of the page that explains a name in a code span. */
  addressOf: (name: string) => string | undefined;
}

export function renderMarkdown(markdown: string, { base, addressOf }: MarkdownOptions): Html {
  let isInLink = false;
  const renderer = new Marked({
    renderer: {
      html: ({ text }) => (isFold(text) ? text : escapeHtml(text)),
      image: ({ href, text }) => String(picture(base + href, text) ?? escapeHtml(text)),
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${escapeHtml(headingId(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: (token) => String(codeBlock(codeTextOf(token))),
      codespan({ text }) {
        const call = callBadge(text);
        if (call) return String(call);
        const address = isInLink ? undefined : addressOf(text);
        const code = html`<code>${text}</code>`;
        return String(address === undefined ? code : html`<a href="${base}${address}">${code}</a>`);
      },
      link({ href, tokens }) {
        isInLink = true;
        const text = trusted(this.parser.parseInline(tokens));
        isInLink = false;
        return String(isSafe(href) ? html`<a href="${href.startsWith('/') ? base : ''}${href}">${text}</a>` : text);
      },
      table(token) {
        const cellOf = ({ text, tokens }: Tokens.TableCell) => ({
          text,
          html: trusted(this.parser.parseInline(tokens)),
        });
        return String(
          htmlTable(
            token.header.map(cellOf),
            token.rows.map((row) => row.map(cellOf)),
          ),
        );
      },
    },
  });
  const idOf = uniqueIds();
  const parts = groupsOf(renderer.lexer(markdown)).map((tokens) => {
    const programs = tokens.filter(isTitled).map(codeTextOf);
    return programs.length > 1 ? codeTabs(programs, idOf) : trusted(renderer.parser(tokens));
  });
  return html`${parts}`;
}

/** Returns the tokens of the document, with consecutive titled programs in one group. */
function groupsOf(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    const last = groups.at(-1);
    const isOfPrograms = last?.[0] !== undefined && isTitled(last[0]);
    if (last && (isOfPrograms ? isTitled(token) || token.type === 'space' : !isTitled(token))) last.push(token);
    else groups.push([token]);
  }
  return groups;
}

function isTitled(token: Token): token is Tokens.Code {
  return token.type === 'code' && titleOf(codeTextOf(token as Tokens.Code)) !== undefined;
}

function codeTextOf({ text, lang }: Tokens.Code): CodeText {
  return { code: text, info: lang ?? '' };
}

/** If an earlier program has the same title, the id gets a number. */
function uniqueIds(): (title: string) => string {
  const seen = new Map<string, number>();
  return (title) => {
    const id = headingId(title);
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
}

/** Returns the headings of the second and third level, for the table of contents of a page. */
export function headingsOf(markdown: string): Heading[] {
  return new Marked()
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth > 1 && token.depth < 4)
    .map(({ text, depth }) => ({ id: headingId(text), text: text.replaceAll('`', ''), depth }));
}

/** A name such as `checkout.success` is its own id, because other pages link to headings with such names. */
export function headingId(text: string): string {
  const isName = /^`[\w.]+`$/.test(text);
  if (isName) return text.replaceAll('`', '');
  return text
    .toLowerCase()
    .replace(/[^\w]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Each picture has a second version for narrow screens, in which the text keeps its size. */
function picture(address: string, text: string): Html | undefined {
  const [, path] = /^(.*\/docs\/assets\/[a-z-]+)\.svg$/.exec(address) ?? [];
  return path === undefined || !address.startsWith('/')
    ? undefined
    : html`<picture data-themes><source media="(max-width: 48rem)" srcset="${path}-narrow.svg"><img src="${address}" alt="${text}"></picture>`;
}

function isFold(markup: string): boolean {
  return /^(<details>\n<summary>[^<&]*<\/summary>|<\/details>)\s*$/.test(markup);
}

function isSafe(href: string): boolean {
  return /^(https?:\/\/|\/(?!\/)|#)/.test(href);
}

/** Returns undefined unless the text is a method and a path, such as `POST /api/v1/transfers`. */
function callBadge(text: string): Html | undefined {
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(text) ?? [];
  if (!method) return undefined;
  return html`<span class="call"><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></span>`;
}
