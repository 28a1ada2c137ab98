import type { Claimed } from './claim.ts';

/** The deliveries that this process holds, and how many of each endpoint. */
export interface InFlight {
  readonly size: number;
  readonly perEndpoint: ReadonlyMap<string, number>;
  add(delivery: Claimed): void;
  remove(delivery: Claimed): void;
  all(): Claimed[];
  /** Resolves when none is left. */
  emptied(): Promise<void>;
}

export function createInFlight(): InFlight {
  const held = new Set<Claimed>();
  const perEndpoint = new Map<string, number>();
  let tellEmpty = () => {};
  return {
    get size() {
      return held.size;
    },
    perEndpoint,
    add(delivery) {
      held.add(delivery);
      perEndpoint.set(delivery.endpointId, (perEndpoint.get(delivery.endpointId) ?? 0) + 1);
    },
    remove(delivery) {
      held.delete(delivery);
      const others = (perEndpoint.get(delivery.endpointId) ?? 1) - 1;
      if (others > 0) perEndpoint.set(delivery.endpointId, others);
      else perEndpoint.delete(delivery.endpointId);
      if (held.size === 0) tellEmpty();
    },
    all: () => [...held],
    emptied: () =>
      new Promise((resolve) => {
        tellEmpty = resolve;
        if (held.size === 0) resolve();
      }),
  };
}
