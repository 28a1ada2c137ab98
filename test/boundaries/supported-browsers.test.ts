import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { features } from 'web-features';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const supported = (JSON.parse(read('package.json')) as { browserslist: string[] }).browserslist;
const names: Record<string, string> = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  safari: 'Safari',
  ios_saf: 'iOS',
};
const oldest = Object.fromEntries(supported.map((one) => one.replace('ios_saf', 'safari_ios').split(' ')));

type Support = Partial<Record<string, string>>;
const known = Object.values(features).flatMap((feature) =>
  Object.entries('status' in feature ? (feature.status.by_compat_key ?? {}) : {}).map(
    ([key, status]) => [key, missingFrom((status as { support: Support }).support)] as const,
  ),
);

function missingFrom(support: Support): string[] {
  return Object.entries(oldest)
    .filter(([browser, version]) => !(Number.parseFloat(support[browser]?.replace('≤', '') ?? '') <= Number(version)))
    .map(([browser]) => `${browser} ${support[browser] ?? 'never'}`);
}

/** Methods whose names other objects also have, so that a call does not show to which object the method belongs. */
const usualMethods = new Set([
  'toArray',
  ...known.filter(([, missing]) => missing.length === 0).map(([key]) => key.split('.').at(-1)),
]);

/** Features without which the page works the same and is as readable (progressive enhancement). */
const improvements = new Set([
  'html.global_attributes.autocapitalize',
  ...[
    'properties.text-wrap',
    'properties.text-size-adjust',
    'properties.scrollbar-width',
    'properties.scrollbar-color',
    'properties.accent-color',
    'properties.resize',
    'properties.content-visibility',
    'properties.forced-color-adjust',
    'selectors.details-content',
    'at-rules.page',
  ].map((name) => `css.${name}`),
]);

const signs = known
  .filter(([key, missing]) => missing.length > 0 && !improvements.has(key))
  .flatMap(([key, missing]) => {
    const sign = signOf(key);
    return sign ? [{ ...sign, words: `${key} (${missing.join(', ')})` }] : [];
  });

interface Sign {
  kind: 'script' | 'style' | 'markup';
  /** A text that each match of `pattern` contains. Searching for this text before the pattern is much faster. */
  word: string;
  pattern: RegExp;
}

function signOf(key: string): Sign | null {
  const [, group, rest = ''] =
    /^(javascript\.builtins|api|css\.\w+(?:-\w+)?|html\.global_attributes)\.(.+)$/.exec(key) ?? [];
  const [owner = '', name = '', ...more] = rest.replace(/_static$/, '').split('.');
  if (!group || more.length > 0) return null;
  if (group === 'javascript.builtins' || group === 'api') {
    if (name === '') return { kind: 'script', word: `new ${owner}(`, pattern: new RegExp(`\\bnew ${owner}\\(`) };
    const isEnough = group === 'javascript.builtins' && !usualMethods.has(name);
    if (isEnough)
      return { kind: 'script', word: `.${name}`, pattern: new RegExp(`\\b${owner}\\.${name}\\b|\\.${name}\\(`) };
    return { kind: 'script', word: `${owner}.${name}`, pattern: new RegExp(`\\b${owner}\\.${name}\\b`) };
  }
  if (name !== '') return null;
  if (group === 'css.properties') return { kind: 'style', word: `${owner}:`, pattern: new RegExp(`[\\s;{]${owner}:`) };
  if (group === 'css.selectors') return { kind: 'style', word: `:${owner}`, pattern: new RegExp(`:${owner}\\b`) };
  if (group === 'css.at-rules') return { kind: 'style', word: `@${owner}`, pattern: new RegExp(`@${owner}\\b`) };
  if (group === 'css.types') return { kind: 'style', word: `${owner}(`, pattern: new RegExp(`[\\s:(]${owner}\\(`) };
  return { kind: 'markup', word: owner, pattern: new RegExp(`<[a-z]+ [^<>]*\\b${owner}(=|>)`) };
}

const files: Record<Sign['kind'], string> = {
  script: '{server/{src/pages/checkout,docs}/assets/*.js,server/dashboard/src/**/*.{ts,tsx},sdk/src/**/*.ts}',
  style: '{server/{look,docs/assets,src/pages/{checkout,home}/assets},server/dashboard/src/**}/*.css',
  markup:
    '{server/src/pages/{checkout,docs,home}/*.ts,server/src/kit/*.ts,server/docs/{src,figures}/*.ts,server/dashboard/src/**/*.tsx}',
};

function lackingIn(text: string, kind: Sign['kind'], possible = signs): string[] {
  const lines = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return possible.filter((sign) => isIn(lines, kind, sign)).map(({ words }) => words);
}

function isIn(text: string, kind: Sign['kind'], sign: Sign): boolean {
  return sign.kind === kind && text.includes(sign.word) && sign.pattern.test(text);
}

for (const kind of ['script', 'style', 'markup'] as const) {
  test(`every ${kind} of our pages uses only features that all supported browsers have`, async (t) => {
    const paths: string[] = [];
    for await (const path of glob(files[kind], { cwd: root })) paths.push(path);
    // Most of the two thousand texts occur in no file, so they are first searched in all files together.
    const whole = paths.map(read).join('\n');
    const possible = signs.filter((sign) => isIn(whole, kind, sign));

    const lacking = paths.map((path) => [path, ...lackingIn(read(path), kind, possible)]);

    t.deepEqual(
      lacking.filter(({ length }) => length > 1),
      [],
    );
    t.true(paths.length > 10, `${paths.length} files`);
  });
}

test('the check finds an unsupported browser feature in a script, a style sheet and markup', (t) => {
  t.regex(lackingIn('await Promise.try(read)', 'script').join(), /Promise\.try .*safari/);
  t.regex(lackingIn('map.getOrInsert(key, 1)', 'script').join(), /getOrInsert/);
  t.regex(lackingIn('a { anchor-name: --it; }', 'style').join(), /anchor-name/);
  t.regex(lackingIn('a:open { color: red; }', 'style').join(), /open/);
  t.deepEqual(lackingIn('Promise.withResolvers(); AbortSignal.any([])', 'script'), []);
});

test('README, the guide to going live and the build name the same browsers', (t) => {
  const words = supported.map((one) => {
    const [name = '', version] = one.split(' ');
    return `${names[name]} ${version}`;
  });
  const sentence = `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
  t.is(sentence, 'Chrome 124, Edge 124, Firefox 125, Safari 17.4 and iOS 17.4');
  for (const path of ['README.md', 'server/docs/guides/going-live.md'])
    t.true(read(path).replaceAll(/\s+/g, ' ').includes(sentence), path);
});
