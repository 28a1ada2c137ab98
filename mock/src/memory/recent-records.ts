/** The remembered records of one kind, newest first. Each has a different name, such as its reference. */
export interface RecentRecords<Item> {
  readonly items: readonly Item[];
  add(item: Item): void;
  remove(item: Item): void;
  named(name: unknown): Item | undefined;
}

/** Choice: the mock remembers this many records of a kind and mode, so that one that runs for weeks does not grow. */
export const mostRemembered = 1_000;

export function createRecentRecords<Item>(nameOf: (item: Item) => string): RecentRecords<Item> {
  const items: Item[] = [];
  return {
    items,
    add(item) {
      items.unshift(item);
      if (items.length > mostRemembered) items.pop();
    },
    remove(item) {
      const place = items.indexOf(item);
      if (place >= 0) items.splice(place, 1);
    },
    named: (name) => items.find((item) => nameOf(item) === name),
  };
}
