import { defineConfig, type UserConfig } from 'tsdown';
import packageJson from './package.json' with { type: 'json' };

// A new entry point needs an entry in the `exports` of package.json, and its source file.
// See docs/decisions/sdk.md, "This repository uses the SDK as source".
const sources = Object.values(packageJson.exports).flatMap((entry) =>
  typeof entry === 'object' ? entry['@tillhook/source'] : [],
);

const config: UserConfig = defineConfig({
  entry: sources,
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'node20',
  fixedExtension: true,
  // With the sources in them, so that a debugger and a stack show what a person wrote.
  sourcemap: true,
  deps: {
    // The SDK has no dependencies for its users, so what it needs is bundled. A new name here must be a decision.
    onlyBundle: ['openapi-fetch'],
    // The SDK uses the types of the contract's package, but none of its code.
    neverBundle: [/read-contract|changelog/],
  },
  treeshake: { moduleSideEffects: 'no-external' },
  // This generator does not need TypeScript 5. It reads one file at a time, which
  // `isolatedDeclarations` in tsconfig.json makes possible.
  dts: { generator: 'oxc' },
});

export default config;
