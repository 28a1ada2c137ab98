/**
 * `tillhook-mock`, or `npm run mock` in the repository: serves the mock until Ctrl-C. `tillhook-mock event …`, or `npm
 * run mock:event -- …`, sends a signed webhook instead.
 */
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
await import('./mock-program.ts');
