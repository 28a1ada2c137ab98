import { availableParallelism } from 'node:os';

// What starts browsers and servers takes longest: it begins first, so that the run does not end by waiting for it
// alone.
const longest = /[/\\](pages|dashboard|restart)[/\\]/;

export default {
  // The files of `npm test` or of another command, see `support/run/commands.ts`.
  files: process.env.TEST_FILES?.split(' ') ?? ['**/*.test.ts'],
  extensions: ['ts'],
  nodeArguments: ['--conditions=@tillhook/source', '--disable-warning=ExperimentalWarning'],
  // Node takes export conditions for a process, not for a thread.
  workerThreads: false,
  // Two more than there are processors, because some files wait. With one more, a run took a minute longer. With three
  // more, the same tests took an eighth more processor time, because each found less of what it needs in the caches.
  concurrency: availableParallelism() + 2,
  sortTestFiles: (one, other) => longest.test(other) - longest.test(one) || (one < other ? -1 : 1),
  timeout: '2m',
};
