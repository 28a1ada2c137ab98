/** The program that compares the verifier with the test vectors must also detect wrong vectors. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderFor, onLanguage, quickStartFolder, runToEnd } from './quick-start.ts';

interface Comparison {
  folder: string;
  /** `OUT` stands for a folder of the test. */
  compile?: string;
  /** `FILE` stands for the file of the vectors. */
  compare: string;
}

const comparisons: Record<string, Comparison> = {
  TypeScript: { folder: 'typescript', compare: 'node vectors.ts FILE' },
  Python: { folder: 'python', compare: 'python3 vectors.py FILE' },
  Go: { folder: 'go', compare: 'go test -vet=off ./receiver' },
  Java: {
    folder: 'java',
    compile: 'javac -d OUT Receiver.java Vectors.java',
    compare: 'java -cp OUT Vectors FILE',
  },
  PHP: { folder: 'php', compare: 'php vectors.php FILE' },
  Ruby: { folder: 'ruby', compare: 'ruby vectors.rb FILE' },
};

const published = readFileSync(`${quickStartFolder}vectors.json`, 'utf8');

export function testVectors(isTried: (language: string) => boolean): void {
  for (const [name, comparison] of Object.entries(comparisons)) if (isTried(name)) testVerifier(name, comparison);
}

function testVerifier(name: string, { folder, compile, compare }: Comparison): void {
  onLanguage(name)(
    `${name}: the verifier agrees with all vectors, and does not agree with corrupted vectors`,
    async (t) => {
      const out = folderFor(t);
      const run = (command: string, file = 'vectors.json') => {
        const words = command.split(' ').map((word) => word.replace('OUT', out).replace('FILE', join(out, file)));
        return runToEnd(words, quickStartFolder + folder, { VECTORS: join(out, file) });
      };
      writeFileSync(join(out, 'vectors.json'), published);
      writeFileSync(join(out, 'corrupted.json'), Object.values(corrupted).reduce(corrupt, published));
      if (compile) t.is((await run(compile)).status, 0);

      const agreed = await run(compare);
      t.is(agreed.status, 0, agreed.stderr);
      t.regex(agreed.stdout, name === 'Go' ? /^ok/ : /^8 vectors agree$/m);
      const { status, stdout, stderr } = await run(compare, 'corrupted.json');
      t.not(status, 0);
      const named = `${stdout}${stderr}`.replaceAll('_', ' ');
      for (const title of Object.keys(corrupted)) t.true(named.includes(title), named);
    },
  );
}

/** The beginning of the signature of a test vector, up to the character that the test changes. */
const corrupted = {
  'a checkout event': '111d24f1',
  'a secret with + and /': 'v1,pPAs',
  'a staged and a replaced secret sign along': 'v1,6Kzvo1OxXe1',
};

function corrupt(text: string, start: string): string {
  if (!text.includes(start)) throw new Error(`No published vector contains ${start}.`);
  return text.replace(start, `${start.slice(0, -1)}2`);
}
