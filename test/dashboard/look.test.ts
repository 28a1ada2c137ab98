/** How every page and dialog of the dashboard looks, over the mock, which fills them. */
import test from 'ava';
import { barriersOn } from '../support/accessibility.ts';
import { browserForFile } from '../support/browser.ts';
import { dashboardDialogs, dashboardPages, dashboardStates } from '../support/dashboard-scenes.ts';
import { flawsOn } from '../support/look.ts';
import { type MockDashboard, startMockDashboard } from '../support/mock-dashboard.ts';

const openPage = browserForFile();
let mock: MockDashboard;

test.before(async () => {
  mock = await startMockDashboard();
});
test.after.always(() => mock.stop());

for (const [name, open] of Object.entries({ ...dashboardPages, ...dashboardStates, ...dashboardDialogs })) {
  test.serial(`${name} has its colours and edges, and meets WCAG 2.2 AA, light and dark`, async (t) => {
    const page = await openPage(t);
    await open(page, mock);

    t.deepEqual(await flawsOn(page), []);
    t.deepEqual(await barriersOn(page), []);
  });
}
