/** The tests of what `lab/` computes, and the short form of `npm run chaos`. They are part of `npm run check:lab`. */
export default {
  files: ['**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--conditions=@tillhook/source'],
  // Node takes export conditions for a process, not for a thread.
  workerThreads: false,
  timeout: '5m',
};
