/** Every page, state and dialog of the dashboard in light and dark, and where the focus is after each dialog. */
import test from 'ava';
import { flawsAndBarriersInBothSchemes } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { dashboardDialogs, openers } from '../../support/dashboard/dashboard-dialogs.ts';
import { endScene, flawsOfScenes, mockForFile, open } from '../../support/dashboard/dashboard-scene.ts';
import { dashboardPages, dashboardStates } from '../../support/dashboard/dashboard-scenes.ts';
import { eventually } from '../../support/eventually.ts';

const openPage = browserForFile();
const mock = mockForFile();

for (const [kind, scenes] of Object.entries({
  page: dashboardPages,
  'page that is empty or fails': dashboardStates,
  dialog: dashboardDialogs,
})) {
  test.serial(`every ${kind} has its colours and edges, and meets WCAG 2.2 AA, light and dark`, async (t) => {
    t.timeout(600_000);
    const page = await openPage(t);

    t.deepEqual(await flawsOfScenes(page, { mock: mock(), scenes, look: flawsAndBarriersInBothSchemes }), {});
    t.log(`${Object.keys(scenes).length} of them`);
  });
}

test.serial('after Escape from a dialog or menu, the focus is on the button that opened it', async (t) => {
  t.timeout(600_000);
  const page = await openPage(t);

  for (const [path, name] of openers) {
    await open(page, mock(), path);
    const button = page.getByRole('button', { name: name === 'SearchCtrl K' ? 'Search' : name, exact: true }).first();
    for (const time of ['the first time', 'the second time']) {
      await button.press('Enter');
      await eventually(() => page.evaluate<boolean>(isFocusInside), true);
      await page.keyboard.press('Escape');
      await page.locator('[role=dialog], [role=menu]').waitFor({ state: 'detached' });
      await eventually(() => button.evaluate((one) => one === one.ownerDocument.activeElement), true);
      t.log(`${name}, ${time}`);
    }
  }
  // Each wait above fails the test when the focus does not come back.
  t.pass();
});

test.serial('after Escape from any dialog, the focus is somewhere on the page', async (t) => {
  t.timeout(600_000);
  const page = await openPage(t);
  const closed: string[] = [];

  for (const [name, show] of Object.entries(dashboardDialogs)) {
    // This one is no dialog.
    if (name === 'time has passed') continue;
    await endScene(page);
    await show(page, mock());
    await page.locator('[role=dialog], [role=menu]').first().waitFor();
    await page.keyboard.press('Escape');
    await eventually(
      () => page.evaluate<string>(whatHasTheFocus),
      (tag) => tag !== 'BODY',
    );
    closed.push(name);
  }

  t.is(closed.length, Object.keys(dashboardDialogs).length - 1);
});

test.serial('after Escape from a search by keyboard, no button of an earlier dialog has the focus', async (t) => {
  const page = await openPage(t);
  await open(page, mock(), '/test/payments');
  const button = page.getByRole('button', { name: 'Create a checkout link', exact: true }).first();
  const escapeFromDialog = async () => {
    await eventually(() => page.evaluate<boolean>(isFocusInside), true);
    await page.keyboard.press('Escape');
  };

  await button.press('Enter');
  await escapeFromDialog();
  await eventually(() => button.evaluate((one) => one === one.ownerDocument.activeElement), true);
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Control+k');
  await escapeFromDialog();

  const focused = await eventually(
    () => page.evaluate<string>(whatHasTheFocus),
    (tag) => tag !== 'BODY',
  );
  t.is(focused, 'MAIN');
});

const isFocusInside = `document.activeElement.closest('[role=dialog], [role=menu]') !== null`;
/** While a dialog fades out, what is in it may still have the focus. */
const whatHasTheFocus = `(async () => {
  for (let still = 0; still < 30 && document.querySelector('[role=dialog], [role=menu]'); still += 1)
    await new Promise(requestAnimationFrame);
  return document.activeElement.tagName;
})()`;
