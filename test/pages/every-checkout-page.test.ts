import { browserForFile } from '../support/browser/browser.ts';
import { checkoutScenes, languageScenes } from '../support/pages/checkout-scenes.ts';
import { testEveryPage } from '../support/pages/every-page.ts';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';

// See docs/decisions/tests.md, "Every page is looked at in a browser".
await testEveryPage({
  room: 'checkout-page',
  scenes: { ...checkoutScenes, ...languageScenes },
  server: serverForFile(usualSettings),
  openPage: browserForFile(),
});
