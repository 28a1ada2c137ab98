import { defineConfig, type UserConfig } from 'tsdown';
import packageJson from './package.json' with { type: 'json' };

// For a new entry point, add an entry with its source file to `exports` of package.json.
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
  // Source maps contain the sources, so that debuggers and stack traces show the original code.
  sourcemap: true,
  deps: {
    // Users of the SDK install no dependencies, so a dependency would be bundled. Adding a name here needs a decision.
    onlyBundle: [],
    // The SDK uses types of the contract's package, but none of its code.
    neverBundle: [/read-contract|changelog/],
  },
  treeshake: { moduleSideEffects: 'no-external' },
  // The generator `oxc` needs no TypeScript 5: it reads each file alone, which `isolatedDeclarations` makes possible.
  dts: { generator: 'oxc' },
});

export default config;
