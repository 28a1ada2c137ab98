/**
 * Which pages of the server have been made in this process. V8 counts the calls, so no list has to be kept: a page that is
 * new, and that no scene shows, has not been called.
 */
import { globSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const sources = fileURLToPath(new URL('.', import.meta.resolve('@tillhook/server/src/app.ts')));

/** Every file of the server that makes pages, below its sources. */
export const pageFiles = (room: string): string[] => globSync(`${room}/**/*.page.ts`, { cwd: sources });

/** Starts to count, and returns what names the pages of a room that were not made by then. */
export async function countRenderedPages(): Promise<(room: string) => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async (room) => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    const unrendered = await Promise.all(pageFiles(room).map((file) => unrenderedPagesOf(file, result)));
    return unrendered.flat();
  };
}

/** Its functions that are named after a page, or, where none is, the file when none of its functions was called. */
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
