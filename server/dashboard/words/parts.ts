/**
 * A message as its parts: text, values and elements. In the catalogue a value is `{name}`, and an element is
 * `<name>…</name>`, so that a translation may put them in another order.
 */

/** A value has only `open`, which is its whole source. */
export interface Part {
  text?: string;
  name?: string;
  open?: () => string;
  close?: () => string;
  parts?: Part[];
}

const marks = /(\{\w+\}|<\/?\w+>)/;

export function textOf(parts: readonly Part[]): string {
  return parts
    .map(({ text, name, parts: inner }) => {
      if (text !== undefined) return text;
      return inner ? `<${name}>${textOf(inner)}</${name}>` : `{${name}}`;
    })
    .join('');
}

/** The second part of one name gets the number 2: `{amount}` and `{amount2}`. */
export function numbered(parts: readonly Part[], counts = new Map<string, number>()): Part[] {
  return parts.map((part) => {
    if (part.name === undefined) return part;
    const count = (counts.get(part.name) ?? 0) + 1;
    counts.set(part.name, count);
    const name = count === 1 ? part.name : `${part.name}${count}`;
    return { ...part, name, ...(part.parts && { parts: numbered(part.parts, counts) }) };
  });
}

/** The values and elements of a message, which its translation must have too. */
export function marksOf(text: string): string[] {
  return text
    .split(marks)
    .filter((_, index) => index % 2 === 1)
    .sort();
}

export function templateOf(parts: readonly Part[], translation: string): string {
  const escaped = (text: string) => text.replaceAll(/[\\`]|\$\{/g, '\\$&');
  return `\`${place(parts, translation, { text: escaped, part: (source) => `\${${source}}` })}\``;
}

export function childrenOf(parts: readonly Part[], translation: string): string {
  return place(parts, translation, { text: (text) => `{${JSON.stringify(text)}}`, part: (source) => source });
}

interface Writers {
  text: (text: string) => string;
  part: (source: string) => string;
}

function place(parts: readonly Part[], translation: string, write: Writers): string {
  const byName = new Map(allOf(parts).map((part) => [part.name, part]));
  return translation
    .split(marks)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const part = byName.get(/^[{<]\/?(\w+)[}>]$/.exec(piece)?.[1]);
      if (!part) return write.text(piece);
      return write.part((piece.startsWith('</') ? part.close : part.open)?.() ?? '');
    })
    .join('');
}

function allOf(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) => (part.name === undefined ? [] : [part, ...allOf(part.parts ?? [])]));
}
