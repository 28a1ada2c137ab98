/**
 * `mock`, which `npx @tillhook/mock` runs: the developer's commands, such as `mock listen`. Without the name of a
 * command it is `tillhook-mock`. In the repository each command is an npm script, such as `npm run listen`.
 */
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
await import('./developer-program.ts');
