/** The operator's `webhooks verify` and the developer's `verify` read the same files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCapture as readByServer } from '@tillhook/server/src/cli/webhooks.ts';
import test from 'ava';
import { readCapture as readByMock } from '../../developer/src/commands/capture.ts';
import { expectedHeaders, filesWithoutHeaders, headerForms } from '../support/events/captured-headers.ts';

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
