import { availableParallelism } from 'node:os';

// Files that start browsers and servers take longest, so they begin first. Otherwise the run would end by waiting for
// one of them.
const slowest = /[/\\](pages|dashboard|restart)[/\\]/;

export default {
  // The files of `npm test` or of another command; see `support/run/commands.ts`.
  files: process.env.TEST_FILES?.split(' ') ?? ['**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--conditions=@tillhook/source', '--disable-warning=ExperimentalWarning'],
  // Node reads export conditions only at the start of a process, not for a thread.
  workerThreads: false,
  // Two more than the processors, because some files wait. With only one more, a run took a minute longer. With three
  // more, the same tests took an eighth more processor time, because each process found less in the processor's caches.
  concurrency: availableParallelism() + 2,
  sortTestFiles: (one, other) => slowest.test(other) - slowest.test(one) || (one < other ? -1 : 1),
  timeout: '2m',
};
