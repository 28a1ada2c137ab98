import test from 'ava';
import { findPrometheus } from './prometheus-program.ts';

/** Declares a test that needs promtool. Without it the test is skipped; with CI=true it fails. */
export const onPromtool = findPrometheus('promtool') || process.env.CI === 'true' ? test : test.skip;

export function requirePromtool(): string {
  const path = findPrometheus('promtool');
  if (path) return path;
  throw new Error('promtool is not here: unpack it as test/services/README.md says, or set PROMTOOL.');
}
