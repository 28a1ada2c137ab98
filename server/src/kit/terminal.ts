import { styleText } from 'node:util';
import { createColors } from 'picocolors';

export type Colours = ReturnType<typeof createColors>;

/** The colours for a stream. Node decides whether there are any: it knows terminals, `NO_COLOR` and `FORCE_COLOR`. */
export function coloursFor(stream: NodeJS.WritableStream): Colours {
  return createColors(styleText('bold', 'x', { stream }) !== 'x');
}

/**
 * Replaces what a terminal would obey and not print: control characters, and marks that change the direction of
 * writing. With them, a text from outside could move the cursor or imitate a line of ours.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '�');
}
