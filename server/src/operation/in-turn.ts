const lastOfKey = new Map<string, Promise<unknown>>();

/** Runs all work with the same key one after another in this process. Work that waits holds no connection. */
export function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (lastOfKey.get(key) ?? Promise.resolve()).then(work, work);
  lastOfKey.set(key, turn);
  const forget = () => {
    if (lastOfKey.get(key) === turn) lastOfKey.delete(key);
  };
  turn.then(forget, forget);
  return turn;
}
