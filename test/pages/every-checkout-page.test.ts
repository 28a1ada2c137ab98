import { browserForFile } from '../support/browser.ts';
import { checkoutScenes as scenes } from '../support/checkout-scenes.ts';
import { everyPageOf } from '../support/every-page.ts';
import { serverForFile, usualSettings } from '../support/tillhook.ts';

// See docs/decisions/tests.md, "Every page is looked at in a browser".
await everyPageOf({ room: 'checkout-page', scenes, server: serverForFile(usualSettings), openPage: browserForFile() });
