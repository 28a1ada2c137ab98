/** A text of other people in a sentence of ours, where there can be no `bdi`: it does not turn the words around it. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
