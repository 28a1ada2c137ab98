import { join } from 'node:path';
import { run } from './tools.ts';

export interface ImageConfig {
  Env: string[];
  Cmd: string[];
  User: string;
  WorkingDir: string;
  Healthcheck: { Test: string[] };
}

export interface Image extends AsyncDisposable {
  config: ImageConfig;
  root: string;
}

export type Buildah = (command: string, ...args: string[]) => Promise<string>;

/** Runs buildah with a storage in `cache`, so that buildah does not touch the images of this machine. */
export function createBuildah(cache: string, work: string): Buildah {
  const places = ['--root', join(cache, 'storage'), '--runroot', join(work, 'run')];
  return (command, ...args) => run('buildah', ...places, command, ...args);
}

export async function hasImage(buildah: Buildah, name: string): Promise<boolean> {
  const names = await buildah('images', '--format', '{{.Name}}:{{.Tag}}');
  return names.split('\n').some((found) => found.endsWith(`/${name}`));
}

export async function openImage(buildah: Buildah, name: string): Promise<Image> {
  const inspected = JSON.parse(await buildah('inspect', '--type', 'image', name));
  const container = await buildah('from', '--pull-never', name);
  return {
    config: inspected.Docker.config,
    root: await buildah('mount', container),
    async [Symbol.asyncDispose]() {
      await buildah('rm', container);
    },
  };
}
