/**
 * The command `mock`, which `npx @tillhook/mock` runs. `mock` runs a developer command, such as `mock listen`. Without
 * the name of a command, `mock` does the same as `tillhook-mock`. In the repository, each developer command is an npm
 * script, such as `npm run listen`.
 */
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
await import('./developer-program.ts');
