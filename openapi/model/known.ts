/**
 * A type of the contract without the values that only a later version may send. In an open code, `'a' | (string & {})`,
 * the service knows `'a'` alone, so the compiler refuses everything else that the service would send.
 */
export type Known<Value> = [Listed<Value>] extends [never]
  ? { [Key in keyof Value]: Known<Value[Key]> }
  : Exclude<Value, string> | Listed<Value>;

/** The literals of a type; never for `string` itself. */
type Listed<Value> = Value extends string ? (string extends Value ? never : Value) : never;
