import { browserForFile } from '../support/browser.ts';
import { dashboardScenes as scenes } from '../support/dashboard-scenes.ts';
import { everyPageOf } from '../support/every-page.ts';
import { serverForFile, usualSettings } from '../support/tillhook.ts';

await everyPageOf({ room: 'dashboard-page', scenes, server: serverForFile(usualSettings), openPage: browserForFile() });
