/** `npm run receiver`, and `tillhook-receiver` where the package is installed: receives webhooks until Ctrl-C. */
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
await import('./receiver-program.ts');
