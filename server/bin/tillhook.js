#!/usr/bin/env node
// This file is JavaScript, because an older Node, which reads no TypeScript, must still print a clear message.

import { developerCommands, runDeveloperProgram } from './developer-program.js';

if (!process.features.typescript) {
  process.stderr.write(`Node ${process.versions.node} is too old for this command. Run it as: npx tillhook\n`);
  process.exitCode = 1;
} else {
  const { enableCompileCache } = await import('node:module');
  // Without the compile cache, `tillhook --help` takes twice as long.
  enableCompileCache();
  if (developerCommands.includes(process.argv[2])) {
    await runDeveloperProgram();
  } else {
    const { runCommand } = await import('../src/cli/main.ts');
    process.exitCode = await runCommand(process.argv.slice(2), process);
  }
}
