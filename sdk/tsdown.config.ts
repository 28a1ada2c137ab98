import { defineConfig, type UserConfig } from 'tsdown';
import packageJson from './package.json' with { type: 'json' };

// Another door is a place in the `exports` of package.json, and its source.
// See docs/decisions/sdk.md, "This repository uses the SDK as source".
const sources = Object.values(packageJson.exports).flatMap((door) =>
  typeof door === 'object' ? door['@tillhook/source'] : [],
);

const config: UserConfig = defineConfig({
  entry: sources,
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'node20',
  fixedExtension: true,
  deps: {
    // Whoever installs the SDK installs nothing else, and a new name here has to be meant.
    onlyBundle: ['openapi-fetch'],
    // The contract's package gives the SDK its types and none of its code.
    neverBundle: [/read-contract|changelog/],
  },
  treeshake: { moduleSideEffects: 'no-external' },
  // The generator that needs no TypeScript 5. It reads one file at a time, which
  // `isolatedDeclarations` in tsconfig.json sees to.
  dts: { generator: 'oxc' },
});

export default config;
