import { verifySamples } from '@tillhook/dashboard/src/webhooks/verify-samples.ts';
import test from 'ava';
import { languages, wholeProgram } from '../../docs/quick-start/languages.ts';
import { receiverFiles } from '../support/quick-start/quick-start.ts';

const shown = (url: string) => new Map(verifySamples(url, receiverFiles).map(({ name, ...sample }) => [name, sample]));

test('each sample receiver listens at the path and the local port of the endpoint', (t) => {
  const samples = shown('http://localhost:4321/hooks/a');

  const wanted = {
    TypeScript: [`request.url !== '/hooks/a'`, 'PORT ?? 4321', `from '@tillhook/sdk/webhooks'`],
    Python: ['PATH = "/hooks/a"', 'get("PORT", "4321")'],
    Go: ['"POST /hooks/a"', 'Getenv("PORT"), "4321"'],
    Java: ['PATH = "/hooks/a"', 'environment("PORT", "4321")'],
    PHP: ['php -S 0.0.0.0:4321 receiver.php'],
    Ruby: [`mount_proc '/hooks/a'`, `fetch('PORT', 4321)`],
  };
  for (const [name, words] of Object.entries(wanted)) {
    const { run = '', code = '' } = samples.get(name) ?? {};
    for (const word of words) t.true(`${run}${code}`.includes(word), `${name}: ${word}`);
    t.false(`${run}${code}`.includes('4000'), name);
  }
  t.deepEqual([...samples.keys()], Object.keys(wanted));
});

test('for an endpoint on another host, a sample receiver is the unchanged file, and an unsafe path is not copied into it', (t) => {
  for (const url of ['https://shop.example.com/webhooks', 'https://shop.example.com/%27;evil(%22']) {
    const samples = shown(url);
    for (const { name, receiver } of languages)
      t.is(samples.get(name)?.code, wholeProgram(receiverFiles[receiver.path] ?? ''), name);
  }
});
