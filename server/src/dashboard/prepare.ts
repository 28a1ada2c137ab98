/**
 * npm runs this after an install. Choice: when the build of the dashboard
 * fails, the install still succeeds, and the first start tries again.
 * See docs/decisions/dashboard.md, "The dashboard is built at install, and otherwise at the first start".
 */
import { buildDashboard } from './build.ts';

await buildDashboard().catch(({ message }: Error) => {
  console.error(`The dashboard could not be built; npm start will try again.\n${message}`);
});
