export default {
  files: ['**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--conditions=@tillhook/source'],
  // Node takes export conditions for a process, not for a thread.
  workerThreads: false,
  timeout: '2m',
};
