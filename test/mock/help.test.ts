/** Help answers at once, because a command loads its names and options for it, and nothing of its work. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const root = new URL('../../', import.meta.url);

/** Prints the address of each module that the process loads. */
const recorder = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ load: (url, context, next) => (writeSync(2, url + '\\n'), next(url, context)) });
`)}`;

const needed = ['commander', 'ms'];

const commandLines: [command: string, ...args: string[]][] = [
  ['mock', '--help'],
  ['mock', 'event', '--help'],
  ['receiver', '--help'],
  ['developer', '--help'],
  ['developer', 'listen', '--help'],
];

for (const [command, ...args] of commandLines) {
  test(`${command} ${args.join(' ')} loads nothing but names and options`, async (t) => {
    const file = fileURLToPath(new URL(`mock/src/commands/${command}.ts`, root));
    const flags = [`--import=${recorder}`, '--conditions=@tillhook/source'];

    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, file, ...args]);

    const loaded = stderr.split('\n');
    t.regex(stdout, /^Usage: /);
    t.true(loaded.some((url) => url.endsWith(`mock/src/commands/${command}-program.ts`)));
    t.deepEqual(
      loaded.filter((url) => !isNeeded(url)),
      [],
    );
  });
}

/** Whether it is of the mock itself, the few lines about the address of the service, a small package, or of Node without its HTTP, which takes long to load. */
function isNeeded(url: string): boolean {
  if (url === '' || /^node:(?!https?$)/.test(url)) return true;
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (dependency !== undefined) return needed.includes(dependency);
  return ['mock/', 'openapi/service-address.ts'].some((place) => url.startsWith(new URL(place, root).href));
}
