/** Control characters, line separators and direction marks; `server/src/kit/terminal.ts` has the same set. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Text from outside could use control characters to move the cursor or to imitate a line of this program. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, '�');
}

/** Replaces control characters, but keeps line breaks and the colour codes of this program. */
export function printableLines(text: string): string {
  return text.replaceAll(unprintable, (found, at: number) => (found === '\n' || isColour(text, at) ? found : '�'));
}

/** Replaces control characters in a JSON text with JSON escapes (`\u001b`), so that the values stay the same. */
export function printableJson(text: string): string {
  return text.replaceAll(unprintable, (found) =>
    found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The ANSI codes of bold, dim, four colours, and resets. Other codes could hide text or move the cursor. */
const afterEscape = /\[(?:1|2|22|3[1-36]|39)m/y;

function isColour(text: string, at: number): boolean {
  afterEscape.lastIndex = at + 1;
  return text[at] === '\u001b' && afterEscape.test(text);
}
