/**
 * Caches the value that was made for each key, because making a formatter costs more than using it. If clients choose
 * the keys, pass the maximum number of cached values: when the cache is full, it is emptied.
 */
export function remember<Value>(
  make: (key: string) => Value,
  maxEntries = Number.POSITIVE_INFINITY,
): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size >= maxEntries) made.clear();
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
