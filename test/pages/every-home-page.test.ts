import { browserForFile } from '../support/browser/browser.ts';
import { testEveryPage } from '../support/pages/every-page.ts';
import { homeScenes as scenes } from '../support/pages/home-scenes.ts';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';

await testEveryPage({
  room: 'home-page',
  scenes,
  server: serverForFile(usualSettings),
  openPage: browserForFile(),
});
