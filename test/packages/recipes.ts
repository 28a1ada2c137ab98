import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, run } from './processes.ts';
import { ownProgram } from './projects.ts';

/** A receiver of `sdk/recipes/`, in a project with its framework. */
export interface Recipe {
  name: string;
  /** The compiler options that it needs besides `strict`. */
  compilerOptions: Record<string, unknown>;
  /** Copies it to the place where its framework looks for it. */
  place(project: string): Promise<void>;
  /** The command that starts it on a port, as its users do. */
  command(project: string, port: number): Promise<Command>;
}

const nodeOptions = { module: 'nodenext', types: ['node'], lib: ['es2024'] };

export const recipes: readonly Recipe[] = [
  { name: 'express', compilerOptions: nodeOptions, place: inNode('express'), command: node('express') },
  { name: 'fastify', compilerOptions: nodeOptions, place: inNode('fastify'), command: node('fastify') },
  { name: 'hono', compilerOptions: nodeOptions, place: inNode('hono'), command: node('hono') },
  {
    name: 'next',
    compilerOptions: { module: 'esnext', moduleResolution: 'bundler', lib: ['dom', 'esnext'], types: ['node'] },
    async place(project) {
      await mkdir(join(project, 'app/webhooks'), { recursive: true });
      await cp(fileOf('next'), join(project, 'app/webhooks/route.ts'));
    },
    // `next dev` and not a build, which takes three times as long and serves the same route.
    async command(project, port) {
      const args = [join(project, 'node_modules/next/dist/bin/next'), 'dev', '-H', '127.0.0.1', '-p', String(port)];
      return { command: process.execPath, args, cwd: project };
    },
  },
  {
    name: 'workers',
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2024'],
      types: ['@cloudflare/workers-types'],
    },
    place: inNode('workers'),
    async command(project, port) {
      const args = [join(project, 'workers.recipe.ts'), '--format=esm', `--file=${join(project, 'worker.js')}`];
      await run({ command: ownProgram('rolldown'), args, cwd: project });
      const config = `worker-${port}.capnp`;
      await writeFile(join(project, config), workerdConfig(port));
      return { command: join(project, 'node_modules/.bin/workerd'), args: ['serve', config], cwd: project };
    },
  },
];

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../../sdk/recipes/${name}.ts`, import.meta.url));
}

function inNode(name: string): Recipe['place'] {
  return (project) => cp(fileOf(name), join(project, `${name}.recipe.ts`));
}

function node(name: string): Recipe['command'] {
  return async (project, port) => ({
    command: process.execPath,
    args: [join(project, `${name}.recipe.ts`)],
    cwd: project,
    env: { PORT: String(port) },
  });
}

const workerdConfig = (port: number): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "receiver", worker = .receiver)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "receiver")],
);

const receiver :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  bindings = [(name = "WEBHOOK_SECRET", fromEnvironment = "WEBHOOK_SECRET")],
  compatibilityDate = "2026-11-01",
);
`;
