/** The look of every page and dialog of the dashboard over the mock. */
import test from 'ava';
import { flawsAndBarriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { dashboardDialogs } from '../support/dashboard/dashboard-dialogs.ts';
import { endScene } from '../support/dashboard/dashboard-scene.ts';
import { dashboardPages, dashboardStates } from '../support/dashboard/dashboard-scenes.ts';
import { type MockDashboard, startMockDashboard } from '../support/dashboard/mock-dashboard.ts';

const openPage = browserForFile();
let mock: MockDashboard;

test.before(async () => {
  mock = await startMockDashboard();
});
test.after.always(() => mock.stop());

for (const [kind, scenes] of Object.entries({
  page: dashboardPages,
  'page that is empty or fails': dashboardStates,
  dialog: dashboardDialogs,
})) {
  // All scenes share one browser page, because opening a page takes longer than checking its look.
  test.serial(`every ${kind} has its colours and edges, and meets WCAG 2.2 AA, light and dark`, async (t) => {
    t.timeout(240_000);
    const page = await openPage(t);
    const found: Record<string, string[]> = {};

    for (const [name, open] of Object.entries(scenes)) {
      await endScene(page);
      await open(page, mock);
      const isDialog = (await page.getByRole('dialog').count()) > 0;
      const wrong = await flawsAndBarriersOn(page, isDialog ? '[role="dialog"]' : 'html');
      if (wrong.length > 0) found[name] = wrong;
    }

    t.log(`${Object.keys(scenes).length} of them`);
    t.deepEqual(found, {});
  });
}
