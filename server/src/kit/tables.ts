import { type Html, html } from './html.ts';

/** Line breaks and vertical bars would end a cell, so they become spaces and `\|`. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escapedCell))];
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

function escapedCell(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}

export function fenced(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\``;
}

export interface Cell {
  text: string;
  html: Html;
}

export function htmlTable(head: readonly Cell[], rows: readonly (readonly Cell[])[]): Html {
  const names = head.map(({ text }) => text.replaceAll('`', ''));
  const hasNumbers = rows.some(([, ...cells]) => cells.some(({ text }) => /^\**\d/.test(text)));
  const isLabelled = names.length > (hasNumbers ? 2 : 3);
  const labelOf = (text: string, column: number) =>
    isLabelled && text !== '' && (column > 0 || /^[\d.,]+$/.test(text)) && html` data-label="${names[column]}"`;
  const hasHead = names.some((name) => name !== '');
  const titles = html`<thead><tr>${head.map((cell) => html`<th scope="col">${cell.html}</th>`)}</tr></thead>`;
  const line = ([
    first,
    ...others
  ]: readonly Cell[]) => html`<tr><th scope="row"${labelOf(first?.text ?? '', 0)}>${first?.html}</th>${others.map(
    (cell, index) => html`<td${labelOf(cell.text, index + 1)}>${cell.html}</td>`,
  )}</tr>
`;
  return html`<table class="rows">${hasHead && titles}<tbody>
${rows.map(line)}</tbody></table>
`;
}
