import * as nodeModule from 'node:module';

/**
 * Keeps what Node makes of the files that are loaded from now on, so that the next start need not make it again. From
 * source, help takes much longer without it. Static imports are loaded before any call, so a command calls this first
 * and then imports its program dynamically. Node has it since 22.1; the package runs on older ones too, without it.
 */
export function keepCompiled(): void {
  nodeModule.enableCompileCache?.();
}
