/** V8 records which functions were called, so tests need no list of pages: a new page without a scene has no calls. */
import { globSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const sources = fileURLToPath(new URL('.', import.meta.resolve('@tillhook/server/src/main.ts')));

export const pageFiles = (module: string): string[] => globSync(`${module}/**/*.page.ts`, { cwd: sources });

/** V8 records only whether a function was called, because counting the calls would slow the server down. */
export async function countRenderedPages(): Promise<(modules: string[]) => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  return async (modules) => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    const unrendered = await Promise.all(modules.flatMap(pageFiles).map((file) => unrenderedPagesOf(file, result)));
    return unrendered.flat();
  };
}

/** The names of functions that render pages end with `Page`. A file without such functions counts as one page. */
async function unrenderedPagesOf(file: string, coverage: Profiler.ScriptCoverage[]): Promise<string[]> {
  const { href } = pathToFileURL(`${sources}${file}`);
  const called = new Set(
    coverage
      .filter(({ url }) => url === href)
      .flatMap(({ functions }) => functions)
      .filter(({ ranges: [whole] }) => whole && whole.count > 0)
      .map(({ functionName }) => functionName),
  );
  const exported = Object.entries(await import(href)).filter(([, value]) => typeof value === 'function');
  const names = exported.map(([name]) => name);
  const pages = names.filter((name) => name.endsWith('Page'));
  if (pages.length === 0) return names.some((name) => called.has(name)) ? [] : [file];
  return pages.filter((name) => !called.has(name)).map((name) => `${file}: ${name}`);
}
