/** The first of these, at most so many. The rest of a generator is never made. */
export function firstOf<Item>(items: Iterable<Item>, most: number): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    found.push(item);
    if (found.length >= most) break;
  }
  return found;
}
