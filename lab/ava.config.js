export default {
  files: ['**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--conditions=@tillhook/source'],
  // Node reads export conditions only when a process starts, and not when a thread starts.
  workerThreads: false,
  timeout: '5m',
};
