/** `tillhook-mock` serves the mock until Ctrl-C; `tillhook-mock event …` sends a signed webhook instead. */
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
await import('./mock-program.ts');
