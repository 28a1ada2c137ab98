/**
 * Remembers what was made for each key, because a formatter costs more to make than to use. Where clients choose the
 * keys, pass the number of values to keep: when there are more, all are forgotten.
 */
export function remember<Value>(make: (key: string) => Value, most = Number.POSITIVE_INFINITY): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size >= most) made.clear();
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
