import { createColors } from 'picocolors';

export type Colours = ReturnType<typeof createColors>;

export interface ColourVariables {
  NO_COLOR?: string | undefined;
  FORCE_COLOR?: string | undefined;
  TERM?: string | undefined;
}

export function coloursFor({ isTTY = false }: { isTTY?: boolean }, variables: ColourVariables): Colours {
  return createColors(hasColours(isTTY, variables));
}

/** `NO_COLOR` takes precedence over `FORCE_COLOR`. An empty variable counts as unset. */
function hasColours(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: ColourVariables): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return isTerminal && TERM !== 'dumb';
}

/**
 * Replaces control characters, with which a text from outside could move the cursor or imitate a line of this program.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '�');
}

export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
