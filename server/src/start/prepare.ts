/**
 * npm runs this script after an install. It removes files that no program reads, then builds the dashboard, the docs
 * and the SDK.
 * See docs/decisions/tests.md, "What is installed and never read is removed".
 * Choice: when a build fails, the install still succeeds, because the service builds missing files when it starts.
 * See docs/decisions/dashboard.md, "The dashboard is built at install, and otherwise at the first start".
 */
import { globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, dashboard, docs, sdk } from './build.ts';

const unread = [
  // Source maps, and the C header files of Node.
  ...['**/*.map', 'node/node_modules/*/include'],
  // The compiler's messages in thirteen languages other than English.
  'typescript/lib/*/diagnosticMessages.generated.json',
  // Copies of a package's code in a second module format.
  ...['zod/src', 'fp-ts/es6'],
  // Pages of tools that no script starts, and themes that the docs do not use.
  ...['playwright-core/lib/vite', 'highlight.js/styles', 'highlight.js/scss'],
];
const cwd = fileURLToPath(new URL('../../../node_modules', import.meta.url));
for (const path of globSync(unread, { cwd })) rmSync(`${cwd}/${path}`, { recursive: true, force: true });

const complain = ({ message }: Error) =>
  console.error(
    `Failed to build the dashboard, the docs or the SDK; npm start builds the dashboard and the docs again.\n${message}`,
  );
await Promise.all([dashboard, docs, sdk].map((one) => build(one).catch(complain)));
