import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findProgram } from './installed-programs.ts';

const unpacked = new URL('../../services/prometheus/dist/', import.meta.url);

/**
 * Returns the server of Prometheus, or the program that checks its files: the one that the variable `PROMETHEUS` or
 * `PROMTOOL` names, or else the one that was unpacked as `test/services/README.md` says, or else the installed one.
 */
export function findPrometheus(name: 'prometheus' | 'promtool'): string | undefined {
  const named = process.env[name.toUpperCase()];
  if (named) return named;
  const here = fileURLToPath(new URL(name, unpacked));
  return existsSync(here) ? here : findProgram(name);
}
