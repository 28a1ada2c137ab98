/** Replaces control characters, because text from outside may contain them and a terminal executes them. */
export function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, '�');
}
