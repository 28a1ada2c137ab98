import * as nodeModule from 'node:module';

/**
 * Turns on Node's compile cache for all modules that are imported later. Without the cache, `--help` from source takes
 * much longer. A command calls this function first and then imports its program dynamically, because static imports are
 * loaded before the call. Node has the compile cache since 22.1; older versions run without it.
 */
export function keepCompiled(): void {
  nodeModule.enableCompileCache?.();
}
