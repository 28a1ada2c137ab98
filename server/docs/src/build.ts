/** `npm run build`: writes the documentation to `dist/`, or to the folder in its argument. If a page cannot be rendered, it writes nothing. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { readContract } from '@tillhook/openapi';
import { docsFiles } from './docs-files.ts';

const dist = process.argv[2] ?? `${import.meta.dirname}/../dist`;

const files = docsFiles(readContract());
for (const [file, text] of files) {
  mkdirSync(dirname(`${dist}/${file}`), { recursive: true });
  writeFileSync(`${dist}/${file}`, text);
}
for (const { parentPath, name } of readdirSync(dist, { recursive: true, withFileTypes: true }).filter((found) =>
  found.isFile(),
)) {
  const path = join(parentPath, name);
  if (!files.has(relative(dist, path).replaceAll(sep, '/'))) rmSync(path);
}
