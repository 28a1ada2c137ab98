/** A text table: headings, then rows. Each column is as wide as its widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  // Control characters are replaced, because a terminal obeys them and merchants choose some of these texts.
  const lines = [headings, ...rows].map((line) => line.map((cell) => cell.replaceAll(/\p{C}/gu, '�')));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
