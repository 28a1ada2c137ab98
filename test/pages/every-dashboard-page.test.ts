import { browserForFile } from '../support/browser.ts';
import { dashboardScenes as scenes } from '../support/dashboard-scenes.ts';
import { everyPageOf } from '../support/every-page.ts';
import { serverForFile } from '../support/tillhook.ts';

await everyPageOf({ room: 'dashboard-page', scenes, server: serverForFile(), openPage: browserForFile() });
