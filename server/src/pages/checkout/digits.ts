/** ASCII, Arabic, Persian and full-width zeros. The last four bits of a digit's character code are its value. */
const zeros = ['0', '\u0660', '\u06f0', '\uff10'];

/** Full-width spaces and slashes are also replaced with their ASCII forms. */
export function inAsciiDigits(typed: string): string {
  return typed.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16));
}

/**
 * Extends a pattern to the digits of all writing systems. The pattern may contain single ASCII digits and ranges such
 * as `[1-9]`, but no quantifiers with digits such as `{3,4}`.
 */
export function inEveryScript(pattern: string): string {
  return pattern.replace(/\[(\d)-(\d)\]|\d/g, (ascii, first?: string, last?: string) => {
    const ranges = zeros.map((zero) =>
      first && last ? `${digit(zero, first)}-${digit(zero, last)}` : digit(zero, ascii),
    );
    return `[${ranges.join('')}]`;
  });
}

function digit(zero: string, ascii: string): string {
  return String.fromCharCode(zero.charCodeAt(0) + Number(ascii));
}
