/** The languages of the quick start, with the files that the documentation and the dashboard show. */

export interface Language {
  name: string;
  /** The language name in a Markdown code block. */
  fence: string;
  checkout: Program;
  receiver: Program;
}

export interface Program {
  /** The path of the file, relative to this folder. */
  path: string;
  /** The file name under which a reader saves the program. */
  file: string;
  /** The command that runs the saved file. */
  run: string;
}

export const languages: readonly Language[] = [
  { name: 'TypeScript', fence: 'ts', ...programs('typescript/*.ts', 'node') },
  { name: 'Python', fence: 'python', ...programs('python/*.py', 'python3') },
  {
    name: 'Go',
    fence: 'go',
    checkout: { path: 'go/checkout/main.go', file: 'checkout.go', run: 'go run checkout.go' },
    receiver: { path: 'go/receiver/main.go', file: 'receiver.go', run: 'go run receiver.go' },
  },
  {
    name: 'Java',
    fence: 'java',
    checkout: { path: 'java/Checkout.java', file: 'Checkout.java', run: 'java Checkout.java' },
    receiver: { path: 'java/Receiver.java', file: 'Receiver.java', run: 'java Receiver.java' },
  },
  {
    name: 'PHP',
    fence: 'php',
    checkout: { path: 'php/checkout.php', file: 'checkout.php', run: 'php checkout.php' },
    receiver: { path: 'php/receiver.php', file: 'receiver.php', run: 'php -S 0.0.0.0:4000 receiver.php' },
  },
  { name: 'Ruby', fence: 'ruby', ...programs('ruby/*.rb', 'ruby') },
];

const marks = String.raw`(?:^[ \t]*(?:\/\/|#) \w+:(?:start|end)\n)+`;

/** Returns the program without the comments that mark its parts, as readers see it. */
export function wholeProgram(text: string): string {
  return (
    text
      .replaceAll('\r\n', '\n')
      // If blank lines surround the marks, one of these lines remains.
      .replaceAll(new RegExp(`(?<=\n\n)${marks}\n`, 'gm'), '')
      .replaceAll(new RegExp(marks, 'gm'), '')
  );
}

/**
 * Returns the lines between `name:start` and `name:end` without their indentation; undefined when the program has no
 * such part.
 */
export function partOf(text: string, name: string): string | undefined {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const [start, end] = ['start', 'end'].map((edge) =>
    lines.findIndex((line) => line.trim().endsWith(`${name}:${edge}`)),
  );
  if (start === undefined || end === undefined || start < 0 || end < start) return undefined;
  const indent = /^\s*/.exec(lines[start] ?? '')?.[0].length ?? 0;
  const part = lines.slice(start + 1, end).map((line) => line.slice(indent));
  return wholeProgram(`${part.join('\n')}\n`).trim();
}

function programs(paths: string, command: string): Record<'checkout' | 'receiver', Program> {
  const program = (name: string) => {
    const path = paths.replace('*', name);
    const [, file = ''] = path.split('/');
    return { path, file, run: `${command} ${file}` };
  };
  return { checkout: program('checkout'), receiver: program('receiver') };
}
