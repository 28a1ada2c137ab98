/**
 * Builds the image of the `Dockerfile` with buildah, and tests it as a container, without Docker.
 * See docs/decisions/tests.md, "The image is built and started without Docker".
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import { runChecks } from '../packages/checks.ts';
import { baseImage } from './base-image.ts';
import { buildImage } from './build-image.ts';
import { createBuildah, openImage } from './buildah.ts';
import { imageChecks } from './image-checks.ts';
import { missingTools } from './tools.ts';

const missing = missingTools();
if (missing !== null) {
  console.log(`THE IMAGE IS NOT TESTED: ${missing}`);
  process.exit(process.env.CI === 'true' ? 1 : 0);
}

const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
const cache = join(XDG_CACHE_HOME, 'tillhook', 'image');
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'tillhook-image-'));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

try {
  const buildah = createBuildah(cache, work);
  await step('base image', () => baseImage(buildah, work));
  await step('image', () => buildImage(buildah, work));
  await using image = await openImage(buildah, 'tillhook');
  await using postgres = await startPostgres(work);
  const { passed, failed } = await runChecks(imageChecks(image, postgres.url), 1);
  console.log(`image: ${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.log(`✘ ${error instanceof Error ? error.message : error}`);
  console.log('image: 0 passed, 1 failed');
  process.exitCode = 1;
}

async function step(name: string, make: () => Promise<string>): Promise<void> {
  const startedAt = performance.now();
  const result = await make();
  console.log(`${name}: ${result} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

async function startPostgres(work: string): Promise<AsyncDisposable & { url: string }> {
  const home = join(work, 'postgres');
  mkdirSync(home);
  // If the program runs as root, Postgres runs under another account, which needs access to the directory.
  for (const folder of [work, home]) chmodSync(folder, 0o755);
  const { url, stop } = await startEmbeddedPostgres(home);
  return { url, [Symbol.asyncDispose]: stop };
}
