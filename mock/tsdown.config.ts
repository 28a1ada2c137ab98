import { defineConfig, type UserConfig } from 'tsdown';
import packageJson from './package.json' with { type: 'json' };

// A new entry point needs an entry in `exports` of package.json, and a new command an entry in `bin`.
const entryFiles = Object.values(packageJson.exports).flatMap((target) =>
  typeof target === 'object' ? target['@tillhook/source'] : [],
);
const commands = Object.values(packageJson.bin).map((file) => file.replace('/dist/', '/src/').replace('.mjs', '.ts'));
const entry = Object.fromEntries(
  [...entryFiles, ...commands].map((file) => [file.replace(/^.+?src.|[.]ts$/g, ''), file]),
);

const config: UserConfig = defineConfig({
  entry,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: true,
  // Only the unpublished packages (the contract and the developer commands) are bundled.
  // See docs/decisions/mock.md, "The developer's commands are a package below the mock".
  deps: { onlyBundle: [] },
  outputOptions: {
    banner: ({ fileName }) => (/^commands.+mjs$/.test(fileName) ? '#!/usr/bin/env node' : ''),
  },
  dts: true,
  copy: ['../LICENSE', '../openapi/openapi.yaml', '../openapi/contract'],
});

export default config;
