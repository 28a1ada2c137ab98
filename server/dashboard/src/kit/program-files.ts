/** The texts of programs of the quick start, by their paths in `docs/quick-start/`. */
export type ProgramFiles = Readonly<Record<string, string>>;

/** Takes the result of Vite's `import.meta.glob`. Its keys are paths relative to the file that calls it. */
export function byPath(texts: Readonly<Record<string, string>>): ProgramFiles {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name.replace(/^.*docs\/quick-start\//, ''), text]),
  );
}

/** The text of a program. */
export function textAt(files: ProgramFiles, path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error(`The quick start has no file ${path}.`);
  return text;
}
