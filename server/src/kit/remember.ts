/**
 * Caches values that cost more to make than to use, such as formatters. Pass `maxEntries` where clients choose the
 * keys: a full cache is emptied.
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
