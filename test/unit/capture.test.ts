import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCapture as readByServer } from '@tillhook/server/src/cli/webhooks.ts';
import test from 'ava';
import { readCapture as readByMock } from '../../developer/src/commands/capture.ts';

const expectedHeaders = { 'webhook-id': 'e-1', 'content-type': 'application/json; charset=utf-8' };

const lines = ['Webhook-Id: e-1', 'Content-Type: application/json; charset=utf-8'];

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

const headerForms: readonly (readonly [form: string, file: string | Buffer])[] = [
  ['lines', lines.join('\n')],
  ['lines that end with CRLF', `${lines.join('\r\n')}\r\n`],
  ['lines that end with CR', lines.join('\r')],
  ['the file of curl -D', ['HTTP/1.1 200 OK', ...lines, ''].join('\r\n')],
  ['what curl -v prints', lines.map((line) => `> ${line}`).join('\n')],
  ['lines with spaces before and behind', lines.map((line) => `  ${line.replace(':', ' :')}  `).join('\n')],
  ['quoted lines of an object', `'webhook-id': 'e-1',\n"Content-Type": "application/json; charset=utf-8",`],
  ['JSON', JSON.stringify({ 'Webhook-Id': 'e-1', 'Content-Type': 'application/json; charset=utf-8' }, null, 2)],
  ['JSON with lists', '{"webhook-id":["e-1"],"content-type":["application/json; charset=utf-8"]}'],
  ['UTF-8 with a byte order mark', `\uFEFF${lines.join('\n')}`],
  ['JSON with a byte order mark', `\uFEFF${JSON.stringify(expectedHeaders)}`],
  ['UTF-16 of PowerShell', utf16(lines.join('\r\n'))],
];

/** Files without headers. */
const filesWithoutHeaders: readonly (readonly [what: string, file: string])[] = [
  ['an empty file', ''],
  ['a text', 'No header is here'],
  ['JSON that ends too early', '{"webhook-id": "e-1"'],
];

const readers = { 'webhooks verify': readByServer, 'verify of the developer': readByMock };

const directory = mkdtempSync(join(tmpdir(), 'headers-'));
test.after.always(() => rmSync(directory, { recursive: true }));

let count = 0;

function filesOf(headers: string | Buffer): { headers: string; body: string } {
  count += 1;
  const files = { headers: join(directory, `headers-${count}`), body: join(directory, `body-${count}`) };
  writeFileSync(files.headers, headers);
  writeFileSync(files.body, '{}');
  return files;
}

for (const [command, read] of Object.entries(readers)) {
  for (const [form, file] of headerForms) {
    test(`${command} reads headers from ${form}`, async (t) => {
      const { headers, body } = await read(filesOf(file));

      t.deepEqual(Object.fromEntries(headers), expectedHeaders);
      t.is(body.toString(), '{}');
    });
  }

  for (const [what, file] of filesWithoutHeaders) {
    test(`${command} says that ${what} has no headers`, async (t) => {
      await t.throwsAsync(read(filesOf(file)), { message: /headers-\d+ has no headers\./ });
    });
  }
}
