export interface Heap<Item> {
  push(at: number, item: Item): void;
  /** The order of items with the same time is undefined. */
  pop(): Timed<Item> | undefined;
}

interface Timed<Item> {
  at: number;
  item: Item;
}

export function createHeap<Item>(): Heap<Item> {
  const items: Timed<Item>[] = [];
  const timeAt = (index: number) => items[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (one: number, other: number) => {
    [items[one], items[other]] = [items[other] as Timed<Item>, items[one] as Timed<Item>];
  };
  return {
    push(at, item) {
      items.push({ at, item });
      for (let index = items.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (timeAt(parent) <= timeAt(index)) return;
        swap(index, parent);
        index = parent;
      }
    },
    pop() {
      const [first] = items;
      const last = items.pop();
      if (!last || items.length === 0) return first;
      items[0] = last;
      for (let index = 0; ; ) {
        const left = 2 * index + 1;
        const child = timeAt(left + 1) < timeAt(left) ? left + 1 : left;
        if (timeAt(index) <= timeAt(child)) return first;
        swap(index, child);
        index = child;
      }
    },
  };
}
