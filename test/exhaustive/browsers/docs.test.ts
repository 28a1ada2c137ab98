/** Tests the documentation in Firefox and in WebKit: its theme, its tabs, its search, "Try it" and the verifier. */
import { inOtherBrowsers } from '../../support/browser/tab.ts';
import { eventually } from '../../support/eventually.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();
const inEach = inOtherBrowsers();

inEach('a reader chooses a tab by mouse and by keyboard, and the next page keeps the choice', async (t, tab) => {
  await tab.goto(`${server().url}/docs/reference/createTransfer`);
  await tab.click('[role=tab]', 'TypeScript');
  await tab.press('ArrowRight');
  t.is(await tab.focused(), 'button Python');
  await tab.goto(`${server().url}/docs/reference/listPayments`);

  t.is(await tab.text('[role=tab][aria-selected=true]'), 'Python');
  t.is(await tab.run('person.find(".tabs > [role=tabpanel]").length'), 1);
});

inEach('a reader chooses a theme, and the next page, its drawing and the home page have it', async (t, tab) => {
  await tab.goto(`${server().url}/docs/errors`);
  await tab.click('button', 'Theme');
  await tab.click('#theme label', 'Dark');
  await tab.goto(`${server().url}/docs`);

  t.is(await tab.run(background), 'rgb(15, 18, 22)');
  t.is(await tab.run(`document.querySelector('picture img').src.split('/').at(-1)`), 'overview.svg#dark');
  await tab.goto(`${server().url}/`);
  t.is(await tab.run(background), 'rgb(15, 18, 22)');
  // The browser forgets no choice between two tests.
  await tab.run('localStorage.clear()');
});

const background = 'getComputedStyle(document.body).backgroundColor';

inEach('a reader finds a page by typing, and opens it by keyboard', async (t, tab) => {
  await tab.goto(`${server().url}/docs`);
  await tab.fill('[role=combobox]', 'refund');
  await tab.see('[role=option]');

  await tab.press('ArrowDown', 'Enter');

  await eventually(
    () => tab.address(),
    (address) => address.startsWith(`${server().url}/docs/`),
  );
  t.regex(await tab.text('main'), /refund/);
});

inEach('"Try it" sends a request, and explains an invalid key', async (t, tab) => {
  const { testKey } = await server().createMerchant('Ada’s Books');
  await tab.goto(`${server().url}/docs/reference/getAccount`);
  await tab.click('#try > summary');
  await tab.see('#try fieldset:enabled');
  await tab.fill('#try-key', 'sk_test_…');
  await tab.click('button', 'Send');
  await tab.see(
    '[role=status]',
    'The key has a character that no key has. Copy the whole key again, and nothing else.',
  );

  await tab.fill('#try-key', testKey);
  await tab.click('button', 'Send');

  await eventually(
    () => tab.text('.answer [role=status]'),
    (said) => said.startsWith('200 OK'),
  );
  t.regex(await tab.text('.answer figure'), /Ada’s Books/);
});

inEach('the verifier shows whether a delivery is real', async (t, tab) => {
  await tab.goto(`${server().url}/docs/verifier`);
  await tab.click('button', 'Verify');
  await tab.see('#verdict h2', 'Verified: checkout.success');

  await tab.click('button', 'Change one byte of the body');

  await tab.see('#verdict h2', 'wrong_signature');
  t.regex(await tab.text('#verdict'), /byte for byte/);
});
