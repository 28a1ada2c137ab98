/**
 * npm runs this after an install. It removes what no program reads: the C headers of Node and all source maps, which are 140 MB.
 * See docs/decisions/tests.md, "What is installed and never read is removed".
 *
 * Then it builds the dashboard, and the SDK, so that programs in this folder can import `@tillhook/sdk`. Choice: when a build
 * fails, the install still succeeds. The first start tries to build the dashboard again, and nothing here needs the built SDK.
 * It is left out where development dependencies are not installed.
 * See docs/decisions/dashboard.md, "The dashboard is built at install, and otherwise at the first start".
 */
import { globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildDashboard, buildWithTurbo } from './build.ts';

const unread = ['node/node_modules/*/include', '**/*.map'];
const cwd = fileURLToPath(new URL('../../../node_modules', import.meta.url));
for (const path of globSync(unread, { cwd })) rmSync(`${cwd}/${path}`, { recursive: true, force: true });

const building = buildWithTurbo('@tillhook/dashboard', '@tillhook/sdk') ?? buildDashboard();
await building.catch(({ message }: Error) => {
  console.error(`The dashboard or the SDK could not be built; npm start will try to build the dashboard.\n${message}`);
});
