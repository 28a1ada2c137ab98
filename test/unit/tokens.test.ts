import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contrastsOf, readTokens, stylePage, textsOnBackgrounds } from '@tillhook/docs/src/style.page.ts';
import test from 'ava';

const server = fileURLToPath(new URL('../../server/', import.meta.url));
const tokens = readTokens();
const sheets = filesOf('css');

/** Style sheets that contain a colour, each with the reason. */
const withColours: Record<string, string> = {
  'look/tokens.css': 'it is the list of all colours',
  'src/pages/checkout/assets/outcome.css': 'a printed receipt is black on white in each theme',
};

test('no style sheet contains a colour, except the style sheets that this test lists with a reason', (t) => {
  const naming = sheets.filter((file) => coloursIn(textOf(file)).length > 0);

  t.deepEqual(naming.toSorted(), Object.keys(withColours).toSorted());
  t.true(sheets.length > 25);
});

/** Programs that contain a colour, each with the reason. */
const programsWithColours: Record<string, string> = {
  'look/accent.ts': 'it computes with colours; `accent.test.ts` compares the colours of the tokens',
  'dashboard/src/settings/brand-form.tsx': 'it proposes colours to a merchant, and they are not colours of our pages',
};

test('no program contains a colour, except the programs that this test lists with a reason', (t) => {
  const programs = [...filesOf('ts'), ...filesOf('tsx')];
  const naming = programs.filter((file) => /'#[\da-f]{3,8}'|"#[\da-f]{3,8}"|\b(?:rgb|hsl)a?\(/i.test(textOf(file)));

  t.deepEqual(naming.toSorted(), Object.keys(programsWithColours).toSorted());
  t.true(programs.length > 300);
});

test('each colour has a value for dark mode', (t) => {
  const [, dark = ''] = textOf('look/tokens.css').split('@media (prefers-color-scheme: dark)');
  const colours = tokens.filter(({ light }) => coloursIn(`x: ${light}`).length > 0);

  t.deepEqual(
    colours.map(({ name }) => name).filter((name) => !dark.includes(`--${name}:`)),
    [],
  );
  t.true(colours.length > 25);
});

test('text has a contrast of 4.5 with its background, in light and in dark mode', (t) => {
  const faint = textsOnBackgrounds.filter((pair) => Math.min(...contrastsOf(tokens, pair)) < 4.5);

  t.deepEqual(faint, []);
  t.true(textsOnBackgrounds.length > 20);
});

test('the page of the style guide shows each colour and size with its values', (t) => {
  const text = String(stylePage().tool);
  const shown = tokens.filter(({ name, light }) => light.startsWith('#') || /^(size|space|radius)/.test(name));

  for (const { name, light, dark } of shown) {
    const values = light.startsWith('#') ? `${light} · ${dark}` : light;
    t.regex(text, new RegExp(`<b>--${name}</b> <small>${values}</small>`));
  }
  t.true(shown.length > 40);
});

test('each token is used by a style sheet or a program', (t) => {
  const texts = [...sheets, ...filesOf('ts'), ...filesOf('tsx')].map(textOf).join();

  t.deepEqual(
    tokens.map(({ name }) => name).filter((name) => !texts.includes(`var(--${name})`)),
    [],
  );
});

test('the logo in mark.svg has the accent colours of light and of dark mode', (t) => {
  const used = [...textOf('look/mark.svg').matchAll(/#[\da-f]{3,8}/g)].map(([colour]) => colour);
  const [accent, onAccent] = ['accent', 'on-accent'].map((wanted) => tokens.find(({ name }) => name === wanted));

  t.deepEqual(used.toSorted(), [accent?.light, accent?.dark, onAccent?.light, onAccent?.dark].map(String).toSorted());
});

function filesOf(end: string): string[] {
  return globSync(`{look,src,docs/{assets,src,figures},dashboard/src}/**/*.${end}`, { cwd: server });
}

function textOf(file: string): string {
  return readFileSync(`${server}${file}`, 'utf8');
}

/** Comments and names of properties are not searched for colours. */
function coloursIn(text: string): string[] {
  const named = 'white|black|red|green|blue|gray|grey|silver|orange|yellow|purple|navy|teal';
  const colour = new RegExp(
    `#[\\da-f]{3,8}\\b|\\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\\(|(?<![-\\w])(?:${named})(?![-\\w])`,
    'gi',
  );
  const values = text.replace(/\/\*[\s\S]*?\*\//g, '').match(/:[^;{}]+(?=[;}]|$)/g) ?? [];
  return values.flatMap((value) => value.match(colour) ?? []);
}
