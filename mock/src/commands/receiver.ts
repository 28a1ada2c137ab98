/** `tillhook-receiver`, or `npm run receiver` in the repository: receives webhooks until Ctrl-C. */
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
await import('./receiver-program.ts');
