/** The example that ends the help of a command. It is copied and run, so it names real options. */
export const example = (line: string): string => `
Example:
  ${line}`;
