const batchSize = 5000;

/**
 * Changes many rows of one transaction in several statements, because a single one could take longer than a statement
 * may. Returns how many rows were changed.
 */
export async function changeInBatches(
  rows: readonly { id: string }[],
  change: (ids: string[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let from = 0; from < rows.length; from += batchSize) {
    changed += await change(rows.slice(from, from + batchSize).map(({ id }) => id));
  }
  return changed;
}
