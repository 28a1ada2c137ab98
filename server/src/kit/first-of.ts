/** Returns the first items, at most `most` of them. The other items of a generator are never made. */
export function firstOf<Item>(items: Iterable<Item>, most: number): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    found.push(item);
    if (found.length >= most) break;
  }
  return found;
}
