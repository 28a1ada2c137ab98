/**
 * What npm runs after an install. Choice: a dashboard that cannot be built fails no install; the first start tries again.
 * See docs/decisions/dashboard.md, "The dashboard is built at install, and otherwise at the first start".
 */
import { buildDashboard } from './build.ts';

await buildDashboard().catch(({ message }: Error) => {
  console.error(`The dashboard could not be built; npm start will try again.\n${message}`);
});
