/** The documentation has the files of the quick start: in the guides, for download, in the search and in `llms.txt`. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { withServiceUrl } from '@tillhook/openapi/service-address';
import test from 'ava';
import { languages, partOf, wholeProgram } from '../../docs/quick-start/languages.ts';
import { quickStartFolder } from '../support/programs/quick-start.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const get = async (path: string) => (await fetch(`${server().url}/docs${path}`)).text();
/** The programs have the address of the service that shows them. */
const fileAt = (path: string) => withServiceUrl(readFileSync(quickStartFolder + path, 'utf8'), server().url);

test('the quick start has both programs of each language, and each can be downloaded', async (t) => {
  const guide = await get('/quick-start.md');

  for (const { name, fence, checkout, receiver } of languages) {
    for (const { path, file, run } of [checkout, receiver]) {
      const program = wholeProgram(fileAt(path));
      t.true(guide.includes(`\`\`\`${fence} ${name}\n${program.trim()}\n\`\`\``), path);
      t.true(guide.includes(`| ${name} | \`${file}\` | \`${run}\` |`), path);
      t.is(await get(`/quick-start/${path}`), program);
    }
  }
  t.false(guide.includes('verify:start') || guide.includes('sign:end'));
  t.is(languages.length, 6);
});

test('the guide of signatures has the verifying part of each receiver that uses no library', async (t) => {
  const guide = await get('/verifying-signatures.md');

  for (const { name, fence, receiver } of languages.filter((language) => language.name !== 'TypeScript')) {
    const part = partOf(fileAt(receiver.path), 'verify') ?? '';
    t.true(part.length > 500, name);
    t.true(guide.includes(`\`\`\`${fence} ${name}\n${part}\n\`\`\``), name);
  }
  t.false(/\w:(start|end)$/m.test(guide));
});

test('the test vectors are published as they are', async (t) => {
  const response = await fetch(`${server().url}/docs/quick-start/vectors.json`);

  t.is(response.headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(await response.text(), fileAt('vectors.json'));
});

test('search and llms.txt lead to the programs and to the vectors', async (t) => {
  const found = async (query: string) => {
    const { found } = JSON.parse(await get(`/search.json?q=${query}`)) as { found: { address: string }[] };
    return found.map(({ address }) => address.replace(/#.*/, ''));
  };

  t.true((await found('webrick')).includes('/quick-start'));
  t.true((await found('test+vectors')).includes('/verifying-signatures'));
  t.regex(await get('/llms.txt'), /\/docs\/quick-start\.md\)/);
});

test('the pages with many programs are small', async (t) => {
  for (const path of ['/quick-start', '/verifying-signatures']) {
    const bytes = gzipSync(await get(path)).length;
    t.true(bytes < 30_000, `${path}: ${bytes}`);
    t.log(`${path}: ${bytes} bytes`);
  }
});
