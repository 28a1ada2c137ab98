/** Turns the type of an extensible enum, `'a' | (string & {})`, into `'a'`: the service must not send other values. */
export type KnownValues<Value> = [Listed<Value>] extends [never]
  ? { [Key in keyof Value]: KnownValues<Value[Key]> }
  : Exclude<Value, string> | Listed<Value>;

/** The literals of a string type; `never` for `string` itself. */
type Listed<Value> = Value extends string ? (string extends Value ? never : Value) : never;
