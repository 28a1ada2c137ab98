/**
 * `npm run mock`, and `tillhook-mock` where the package is installed: serves until Ctrl-C. `tillhook-mock event …`
 * sends one signed webhook instead, which is `npm run mock:event -- …`.
 */
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
await import('./mock-program.ts');
