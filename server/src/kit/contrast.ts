/** Describes the problem of a background colour on which white text is hard to read. Null when there is none. */
export function contrastProblem(colour: string, leastContrast: number): string | null {
  const contrast = contrastWithWhite(colour);
  if (contrast >= leastContrast) return null;
  // Digits are cut off and not rounded, so that 4.49 is not shown as 4.5.
  const shown = Math.floor(contrast * 100) / 100;
  return `must have a contrast of at least ${leastContrast} with white text, and has ${shown}: choose a darker colour`;
}

/** The contrast ratio of a colour, `#rrggbb`, with white, as WCAG 2.2 defines it: from 1 for white to 21 for black. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16)));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
