import { availableParallelism } from 'node:os';

// Files that start browsers and servers take longest, so they begin first. Otherwise the run would wait at its end for
// one of these files.
const slowest = /[/\\](pages|dashboard|restart)[/\\]/;

export default {
  // The files of `npm test` or of another command; see `support/run/commands.ts`.
  files: process.env.TEST_FILES?.split(' ') ?? ['**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--conditions=@tillhook/source', '--disable-warning=ExperimentalWarning'],
  // Each file runs in a process and not in a thread, because Node reads export conditions only when a process starts.
  workerThreads: false,
  // The number of test files that run at the same time: two more than there are processors, because some files only
  // wait. With one more file than processors, a run took a minute longer. With three more, the same tests took an
  // eighth more processor time, because each process found less of its data in the processors' caches.
  concurrency: availableParallelism() + 2,
  sortTestFiles: (one, other) => slowest.test(other) - slowest.test(one) || (one < other ? -1 : 1),
  timeout: '2m',
};
