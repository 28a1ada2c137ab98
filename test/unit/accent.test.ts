/** The tests compute the contrast separately, by the formula of WCAG 2.2. */

import { readTokens } from '@tillhook/docs/src/style.page.ts';
import { type Accent, accentOf, type Theme, tokenColours } from '@tillhook/server/look/accent.ts';
import test from 'ava';

const themes: Theme[] = ['light', 'dark'];

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const colours = ['00', '33', '77', 'bb', 'ff'].flatMap((red) =>
  ['00', '55', '99', 'ff'].flatMap((green) => ['00', '77', 'ff'].map((blue) => `#${red}${green}${blue}`)),
);

test('whatever the merchant’s colour, text is readable and edges are visible in the light and the dark theme', (t) => {
  const failures = ['#777777', '#ffffff', '#000000', ...colours].flatMap((colour) =>
    themes.flatMap((theme) => {
      const shown = accentOf(colour, theme);
      return hardToRead(shown, theme).map((what) => `${colour} in ${theme}: ${what}`);
    }),
  );

  t.is(colours.length, 60);
  t.deepEqual(failures, []);
});

function hardToRead({ button, buttonHover, onButton, text, textHover, edge }: Accent, theme: Theme): string[] {
  const behind = [tokenColours[theme].page, tokenColours[theme].panel];
  const pairs: [what: string, one: string, other: string, minContrast: number][] = [
    ['the words of the button', onButton, button, 4.5],
    ['the words of the button under the pointer', onButton, buttonHover, 4.5],
    ...behind.map((background): [string, string, string, number] => ['a link', text, background, 4.5]),
    ...behind.map((background): [string, string, string, number] => [
      'a link under the pointer',
      textHover,
      background,
      4.5,
    ]),
    ...behind.map((background): [string, string, string, number] => ['the edge', edge, background, 3]),
  ];
  return pairs.filter(([, one, other, minContrast]) => contrast(one, other) < minContrast).map(([what]) => what);
}

test('the button has the merchant’s colour, and its colour changes under the pointer', (t) => {
  for (const colour of ['#777777', '#ffffff', '#000000', ...colours]) {
    const { button, buttonHover } = accentOf(colour, 'light');
    t.is(button, colour);
    t.true(contrast(button, buttonHover) > 1.05, colour);
  }
});

test('a colour that is readable stays unchanged', (t) => {
  t.like(accentOf('#1f4fbf', 'light'), { onButton: '#ffffff', text: '#1f4fbf', edge: '#1f4fbf' });
  t.like(accentOf('#ffee00', 'dark'), { onButton: '#000000', text: '#ffee00', edge: '#ffee00' });
});

test('text on the button is white at a contrast of 4.5, and black just below 4.5', (t) => {
  t.is(accentOf('#767676', 'light').onButton, '#ffffff');
  t.is(accentOf('#777777', 'light').onButton, '#000000');
});

test('the computation of contrast uses the colours of tokens.css', (t) => {
  const tokens = readTokens();
  const read = (theme: Theme) =>
    ['page', 'panel', 'text', 'muted', 'line', 'accent'].map((name) => [
      name,
      tokens.find((token) => token.name === name)?.[theme],
    ]);

  t.deepEqual(tokenColours, { light: Object.fromEntries(read('light')), dark: Object.fromEntries(read('dark')) });
});
