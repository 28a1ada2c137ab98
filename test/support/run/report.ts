/** Prints which tests ran, and which tests the next larger command would also run. */
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type CommandName, firstSentence, testFiles } from './commands.ts';

export interface Counted {
  tests: Map<string, number>;
  skipped: string[];
}

/** The line of a test begins with its folder. */
export function countTests(printed: Readable): Counted {
  const counted: Counted = { tests: new Map(), skipped: [] };
  let rest = '';
  printed.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) countLine(counted, stripVTControlCharacters(line).trim());
  });
  return counted;
}

function countLine({ tests, skipped }: Counted, line: string): void {
  if (line.startsWith('- [skip] ')) skipped.push(line.slice('- [skip] '.length));
  const folder = /^[✔✘] (?:\[.+?\]:? )?(\S+) › /.exec(line)?.[1];
  if (folder) tests.set(folder, (tests.get(folder) ?? 0) + 1);
}

export function reportRun(command: CommandName, { tests }: Counted): void {
  const all = Map.groupBy(testFiles(), (path) => path.split('/')[0] ?? '');
  const exhaustive = all.get('exhaustive') ?? [];
  const sum = [...tests.values()].reduce((one, other) => one + other, 0);
  if (command === 'test:fast') {
    const others = [...all.keys()].filter((folder) => folder !== 'unit' && folder !== 'exhaustive').join(', ');
    console.log(
      `\n  npm run test:fast ran ${sum} tests in ${all.get('unit')?.length} files of unit/, which need no service.`,
    );
    console.log(
      `  npm test also runs the files of these folders: ${others}; npm run test:all those of exhaustive/ too.`,
    );
    return;
  }
  const counts = [...tests].toSorted().map(([folder, count]) => `${folder} ${count} in ${all.get(folder)?.length}`);
  console.log(
    `\n  npm ${command === 'test' ? 'test' : 'run test:all'} ran ${sum} tests. By folder, tests in files: ${counts.join(', ')}.`,
  );
  console.log(
    command === 'test'
      ? `  npm run test:all would also run these ${exhaustive.length} files of exhaustive/:`
      : `  npm test leaves out these ${exhaustive.length} files of exhaustive/:`,
  );
  for (const path of exhaustive) console.log(`    ${path.slice('exhaustive/'.length)}: ${firstSentence(path)}`);
}
