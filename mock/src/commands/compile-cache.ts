import * as nodeModule from 'node:module';

/**
 * Makes `--help` much faster when a program runs from source files. Node (22.1 or later) caches only modules that are
 * imported after `enableCompileCache`, so commands import their programs dynamically.
 */
export function keepCompiled(): void {
  nodeModule.enableCompileCache?.();
}
