import { defineConfig, type UserConfig } from 'tsdown';

const config: UserConfig = defineConfig({
  entry: ['src/index.ts', 'src/webhooks.ts'],
  format: 'esm',
  platform: 'neutral',
  target: 'node20',
  fixedExtension: true,
  deps: {
    // Whoever installs the SDK installs nothing else, and a new name here has to be meant.
    onlyBundle: ['openapi-fetch'],
    // The contract's package gives the SDK its types and none of its code.
    neverBundle: [/read-contract/],
  },
  treeshake: { moduleSideEffects: 'no-external' },
  // The generator that needs no TypeScript 5. It reads one file at a time, which
  // `isolatedDeclarations` in tsconfig.json sees to.
  dts: { generator: 'oxc' },
});

export default config;
