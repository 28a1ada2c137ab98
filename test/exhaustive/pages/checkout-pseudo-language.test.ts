/** Every page of the checkout in a language that no catalogue has, whose words are longer. */
import { catalogues } from '@tillhook/server/src/checkout-page/words/catalogues.ts';
import test from 'ava';
import { browserForFile } from '../../support/browser/browser.ts';
import { waitForStyleSheets } from '../../support/browser/look.ts';
import { checkoutScenes } from '../../support/pages/checkout-scenes.ts';
import { speakPseudoLanguage } from '../../support/pages/pseudo-language.ts';
import { ownServerForFile, usualSettings } from '../../support/server/tillhook.ts';

speakPseudoLanguage();
const server = ownServerForFile(usualSettings);
const openPage = browserForFile();

/** Values of the merchant and the customer, and names that are the same in each language. */
const notTranslated = [
  'Ada’s Books',
  'ADAS BOOKS',
  'help@shop.example.com',
  'ada@example.com',
  'order-1042',
  'Two books',
  'Demo Store',
  'Tillhook',
  'Visa',
  'Mastercard',
  '3-D Secure',
];

test('the pseudo-language has accents on each letter, and longer sentences', (t) => {
  t.is(catalogues.en['form.pay'], 'Ṕáý ñô{amount}');
  t.regex(catalogues.en['form.attemptsLeft'], /^Ýóú h́áv́é .*\{attempts, ?plural, ?one ?\{# /);
});

for (const [name, open] of Object.entries(checkoutScenes)) {
  test.serial(`${name} has no word outside of the catalogues, and longer words fit`, async (t) => {
    const page = await openPage(t, { viewport: { width: 1280, height: 800 } });
    await open(page, server());
    await waitForStyleSheets(page);

    const texts = await page.evaluate<string[]>(texting);
    t.deepEqual(texts.filter(hasPlainWord), []);
    t.true(texts.length > 3);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      t.deepEqual(await page.evaluate<string[]>(overflowing), [], `${width} pixels`);
    }
  });
}

/** Two plain letters side by side are a word, because each letter of the catalogues has an accent. */
function hasPlainWord(text: string): boolean {
  return /[a-z]{2}/i.test(notTranslated.reduce((rest, name) => rest.replaceAll(name, ''), text));
}

/**
 * Everything that the page says or may say: its title, its text, also hidden, and its attributes. Moments are formatted
 * by the browser, the merchant names the items, and the id of a request is not a word.
 */
const texting = `(() => {
  const skipped = 'script, style, noscript, time, code, .item-name > bdi';
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(skipped)) texts.push(walker.currentNode.data.trim());
  const said = /^(title|alt|placeholder|aria-label|aria-description)$|^data-(busy|words|missing|wrong|past|slow|holder|title|error-title|sentences)$/;
  for (const element of document.body.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) if (said.test(name)) texts.push(value);
  }
  return texts.filter(Boolean);
})()`;

/** Elements that are wider than the screen, and those whose content is wider than themselves. */
const overflowing = `(() => {
  const root = document.documentElement;
  const isWide = (element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 && getComputedStyle(element).display !== 'inline';
  return [root, ...document.body.querySelectorAll('*:not(input, svg, svg *)')]
    .filter(isWide)
    .map((element) => element.outerHTML.slice(0, 120));
})()`;
