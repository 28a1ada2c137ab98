/** Runs the tests of `lab/`, which include the short form of `npm run chaos`. `npm run check:lab` uses this file. */
export default {
  files: ['**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--conditions=@tillhook/source'],
  // Node reads export conditions only when a process starts, and not when a thread starts.
  workerThreads: false,
  timeout: '5m',
};
