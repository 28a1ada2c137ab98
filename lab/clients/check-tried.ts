/** Fails when the contract, a generator or a program has changed since all clients worked. It is part of `npm run check:lab`. */
import { fingerprint, isTried } from './tried.ts';

if (!isTried(fingerprint())) {
  console.error(
    'The served document, a generator or a program has changed since all clients worked: run `npm run clients`.',
  );
  process.exitCode = 1;
}
