/**
 * Removes from a contract type the values that only a later version may send. The type of an open code, `'a' | (string
 * & {})`, becomes `'a'`, so the compiler rejects any other value in the service.
 */
export type Known<Value> = [Listed<Value>] extends [never]
  ? { [Key in keyof Value]: Known<Value[Key]> }
  : Exclude<Value, string> | Listed<Value>;

/** The literals of a string type; never for `string` itself. */
type Listed<Value> = Value extends string ? (string extends Value ? never : Value) : never;
