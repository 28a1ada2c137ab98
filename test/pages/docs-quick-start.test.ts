import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  judgedText,
  ratioText,
  readEarlier,
  readPublished,
  targetText,
  valueText,
} from '@tillhook/docs/figures/bench-figures.ts';
import { readPublishedChaos } from '@tillhook/docs/figures/chaos.ts';
import { withServiceUrl } from '@tillhook/openapi/rules/service-address';
import test from 'ava';
import { languages, partOf, wholeProgram } from '../../docs/quick-start/languages.ts';
import { quickStartFolder } from '../support/quick-start/quick-start.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

const get = async (path: string) => (await fetch(`${server().url}/docs${path}`)).text();

/** The programs contain the URL of the service that shows them. */
const fileAt = (path: string) => withServiceUrl(readFileSync(quickStartFolder + path, 'utf8'), server().url);

test('the quick start has a checkout program and a receiver in each language, and readers can download each program', async (t) => {
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

test('the guide about signatures contains the code that verifies a webhook, from each receiver that uses no library', async (t) => {
  const guide = await get('/verifying-signatures.md');

  for (const { name, fence, receiver } of languages.filter((language) => language.name !== 'TypeScript')) {
    const part = partOf(fileAt(receiver.path), 'verify') ?? '';
    t.true(part.length > 500, name);
    t.true(guide.includes(`\`\`\`${fence} ${name}\n${part}\n\`\`\``), name);
  }
  t.false(/\w:(start|end)$/m.test(guide));
});

test('the documentation publishes the test vectors unchanged', async (t) => {
  const response = await fetch(`${server().url}/docs/quick-start/vectors.json`);

  t.is(response.headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(await response.text(), fileAt('vectors.json'));
});

test('the search and llms.txt lead to the programs of the quick start and to the test vectors', async (t) => {
  const found = async (query: string) => {
    const { found } = JSON.parse(await get(`/search.json?q=${query}`)) as { found: { address: string }[] };
    return found.map(({ address }) => address.replace(/#.*/, ''));
  };

  t.true((await found('webrick')).includes('/quick-start'));
  t.true((await found('test+vectors')).includes('/verifying-signatures'));
  t.regex(await get('/llms.txt'), /\/docs\/quick-start\.md\)/);
});

test('the pages with many programs have less than 30 KB each when compressed', async (t) => {
  for (const path of ['/quick-start', '/verifying-signatures']) {
    const bytes = gzipSync(await get(path)).length;
    t.true(bytes < 30_000, `${path}: ${bytes}`);
    t.log(`${path}: ${bytes} bytes`);
  }
});

test.serial(
  'the page of the benchmarks compares each figure that has a target with the figure of an earlier commit',
  async (t) => {
    const now = readPublished();
    const before = readEarlier();
    const text = await (await fetch(`${server().url}/docs/benchmarks-and-chaos.md`)).text();

    const compared = before.figures.filter(
      ({ target, name }) => target && now.figures.some((one) => one.name === name),
    );
    t.true(compared.length > 8);
    for (const earlier of compared) {
      const figure = now.figures.find(({ name }) => name === earlier.name);
      if (!figure) continue;
      const row = `| ${figure.name} | ${targetText(figure)} | ${judgedText(earlier)} | ${judgedText(figure)} |`;
      t.true(text.includes(row), row);
    }
  },
);

test.serial(
  'the page of the benchmarks lists each scenario of the chaos run with its losses, or with the reason why it did not run',
  async (t) => {
    const { runs } = readPublishedChaos();
    const text = await (await fetch(`${server().url}/docs/benchmarks-and-chaos.md`)).text();

    for (const run of runs) {
      const words =
        'notRun' in run
          ? `- ${run.scenario}: not run, because ${run.notRun}`
          : `${run.scenario.slice(1)} | ${run.expected.toLocaleString('en')} | **${run.lost}** |`;
      t.true(text.includes(words), words);
    }
    t.true(runs.length > 8);
  },
);

test.serial(
  'the results of the benchmarks are text, so that the Markdown page contains them and the search finds them',
  async (t) => {
    const { figures } = readPublished();
    const [text, found] = await Promise.all(
      ['benchmarks-and-chaos.md', 'search.json?q=deliveries+beside+graphile'].map(async (path) =>
        (await fetch(`${server().url}/docs/${path}`)).text(),
      ),
    );

    for (const figure of figures) {
      const words = [`| ${figure.name} |`, ratioText(figure), valueText(figure.tillhook, figure.unit), figure.about];
      for (const word of words) t.true(text?.includes(word), word);
    }
    t.regex(found ?? '', /"\/benchmarks-and-chaos#deliveries-beside-graphile/);
  },
);
