/** The command of `npx @tillhook/mock`: runs a developer command such as `mock listen`, or by default the mock. */
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
await import('./developer-program.ts');
