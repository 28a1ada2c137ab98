/** Gives each owner a number of places at most, so that no owner takes the places of others. */
export interface Places {
  /** Takes a place, and returns what gives it back. Null when the owner has all of its places. */
  take(owner: string): (() => void) | null;
}

export function createPlaces(mostOfOwner: number): Places {
  const taken = new Map<string, number>();
  return {
    take(owner) {
      const own = taken.get(owner) ?? 0;
      if (own >= mostOfOwner) return null;
      taken.set(owner, own + 1);
      return () => {
        const left = (taken.get(owner) ?? 1) - 1;
        if (left === 0) taken.delete(owner);
        else taken.set(owner, left);
      };
    },
  };
}
