/** Runs the tests of what `lab/` computes, and the short form of `npm run chaos`, as a part of `npm run check:lab`. */
export default {
  files: ['**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--conditions=@tillhook/source'],
  // Node reads export conditions only at the start of a process, not for a thread.
  workerThreads: false,
  timeout: '5m',
};
