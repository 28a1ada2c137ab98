import { readdirSync, readFileSync, statSync } from 'node:fs';
import test from 'ava';
import { maxBytes, readmeFolder, readmePictures } from '../pictures/readme-pictures.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const shown = [...readme.matchAll(/<img src="([^"]*)" width="\d+" alt="([^"]*)">/g)];

test('the README shows each picture that is drawn for it, and the picture of the home page', (t) => {
  const files = Object.keys(readmePictures)
    .filter((name) => !readmePictures[name]?.folder)
    .map((name) => `${name}.png`);
  const wanted = [...files.map((file) => `docs/pictures/${file}`), 'server/src/pages/home/assets/checkout-light.png'];

  t.deepEqual(shown.map(([, file]) => file).toSorted(), wanted.toSorted());
  t.deepEqual(readdirSync(readmeFolder).toSorted(), files.toSorted());
  t.is(wanted.length, 7);
});

test('each picture of the README is small and has a text that describes it', (t) => {
  for (const [, file = '', alternative = ''] of shown) {
    t.true(alternative.length > 20, file);
    t.true(statSync(new URL(`../../${file}`, import.meta.url)).size <= maxBytes, file);
  }
});
