/** What is wrong with a colour that white text is to be read on. Null when nothing is. */
export function contrastProblem(colour: string, leastContrast: number): string | null {
  const contrast = contrastWithWhite(colour);
  if (contrast >= leastContrast) return null;
  // Cut off and not rounded: 4.49 must not read as 4.5.
  const shown = Math.floor(contrast * 100) / 100;
  return `must have a contrast of at least ${leastContrast} with white text, and has ${shown}: choose a darker colour`;
}

/** How well a colour, `#rrggbb`, is told from white: 1 is not at all and 21 is black, as WCAG 2.2 defines it. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16)));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
