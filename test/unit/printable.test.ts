import test from 'ava';
import { printable, printableJson, printableLines } from '../../developer/src/terminal/printable.ts';
import { createScreen } from '../../developer/src/terminal/screen.ts';
import { printable as printableOfServer } from '../../server/src/kit/terminal.ts';

const hidden = 'a\u001b[2Jb\u009bc\u202ed\u2028e\u2066f\u0007g';

test('the mock and the server replace every character that a terminal would execute', (t) => {
  t.is(printable(hidden), 'a�[2Jb�c�d�e�f�g');
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code);
    if (printable(character) !== printableOfServer(character)) t.fail(code.toString(16));
  }
});

test('lines keep their line breaks and the colours of the commands, and no other control codes', (t) => {
  t.is(printableLines('\u001b[32m✓\u001b[39m one\ntwo'), '\u001b[32m✓\u001b[39m one\ntwo');
  t.is(printableLines('\u001b[8mhidden\u001b[0m \u001b]0;title\u0007 \u001b[39'), '�[8mhidden�[0m �]0;title� �[39');
});

test('JSON keeps its values, and its text contains no character that a terminal would execute', (t) => {
  const text = JSON.stringify({ hidden }, null, 2);

  t.deepEqual(JSON.parse(printableJson(text)), { hidden });
  t.is(printable(printableJson(text).replaceAll('\n', '')), printableJson(text).replaceAll('\n', ''));
});

test('the output, the notes and the progress of a command contain no control characters', (t) => {
  const written = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof written) => ({
    isTTY: true,
    columns: 40,
    write(text: string) {
      written[stream] += text;
    },
  });
  const environment = {
    env: {},
    stdout: into('stdout'),
    stderr: into('stderr'),
    interrupted: new AbortController().signal,
  };
  const screen = createScreen(environment, false);

  screen.print(screen.colours.green(`x${hidden}`));
  screen.note(`y${hidden}`);
  screen.progress(`z${hidden}`);
  createScreen(environment, true).print(JSON.stringify({ hidden }));

  const clean = 'a�[2Jb�c�d�e�f�g';
  const json = '{"hidden":"a\\u001b[2Jb\\u009bc\\u202ed\\u2028e\\u2066f\\u0007g"}';
  t.is(written.stdout, `\u001b[32mx${clean}\u001b[39m\n${json}\n`);
  t.is(written.stderr, `y${clean}\nz${clean}`);
});
