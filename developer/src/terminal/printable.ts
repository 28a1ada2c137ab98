/** The same set as in the server's kit: control characters, line separators, and marks that change the direction. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Replaces what a terminal would obey and not print. With it, a text from outside could move the cursor or imitate a
 * line of ours.
 */
export function printable(text: string): string {
  return text.replaceAll(unprintable, '�');
}

/** Does the same to each line of a text that has several, and keeps the colours of this program. */
export function printableLines(text: string): string {
  return text.replaceAll(unprintable, (found, at: number) => (found === '\n' || isColour(text, at) ? found : '�'));
}

/** Writes such characters of a JSON text as its escapes, which leaves its values as they are. */
export function printableJson(text: string): string {
  return text.replaceAll(unprintable, (found) =>
    found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Bold, dim, the four colours of these commands, and their ends. Other codes could hide text or move the cursor. */
const afterEscape = /\[(?:1|2|22|3[1-36]|39)m/y;

function isColour(text: string, at: number): boolean {
  afterEscape.lastIndex = at + 1;
  return text[at] === '\u001b' && afterEscape.test(text);
}
