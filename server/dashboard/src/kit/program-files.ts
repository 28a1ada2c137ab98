/** Source code by path in `docs/quick-start/`. */
export type ProgramFiles = Readonly<Record<string, string>>;

/** Takes the result of Vite's `import.meta.glob`, whose keys are paths relative to the calling file. */
export function byPath(texts: Readonly<Record<string, string>>): ProgramFiles {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name.replace(/^.*docs\/quick-start\//, ''), text]),
  );
}

export function textAt(files: ProgramFiles, path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error(`The path ${path} is not among the files of the quick start.`);
  return text;
}
