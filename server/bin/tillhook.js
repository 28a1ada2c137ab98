#!/usr/bin/env node
// npx runs this file with the Node that npm ci installs. A user may also run this file with an older Node, which reads
// no TypeScript.

import { developerCommands, runDeveloperProgram } from './developer-program.js';

if (!process.features.typescript) {
  process.stderr.write(`Node ${process.versions.node} is too old for this command. Run it as: npx tillhook\n`);
  process.exitCode = 1;
} else {
  const { enableCompileCache } = await import('node:module');
  // Without the compile cache, help takes twice as long, because Node first has to load the code that removes the
  // types.
  enableCompileCache();
  if (developerCommands.includes(process.argv[2])) {
    await runDeveloperProgram();
  } else {
    const { runCommand } = await import('../src/cli/main.ts');
    process.exitCode = await runCommand(process.argv.slice(2), process);
  }
}
