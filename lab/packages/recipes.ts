import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, run } from './processes.ts';
import { ownProgram } from './projects.ts';

export interface Recipe {
  name: string;
  compilerOptions: Record<string, unknown>;
  /** The path at which the framework expects the file of the recipe. The default is `NAME.recipe.ts`. */
  file?: string;
  /** The URL path at which the recipe receives webhooks. The default is `/webhooks`. */
  path?: string;
  command(project: string, port: number): Promise<Command>;
}

export async function place({ name, file = `${name}.recipe.ts` }: Recipe, project: string): Promise<string> {
  const from = fileURLToPath(new URL(`../../sdk/recipes/${name}.ts`, import.meta.url));
  await mkdir(dirname(join(project, file)), { recursive: true });
  await cp(from, join(project, file));
  return file;
}

const nodeOptions = { module: 'nodenext', types: ['node'], lib: ['es2024'] };
const nextOptions = { module: 'esnext', moduleResolution: 'bundler', lib: ['dom', 'esnext'], types: ['node'] };

export const recipes: readonly Recipe[] = [
  { name: 'express', compilerOptions: nodeOptions, command: node('express') },
  { name: 'fastify', compilerOptions: nodeOptions, command: node('fastify') },
  { name: 'hono', compilerOptions: nodeOptions, command: node('hono') },
  { name: 'lambda', compilerOptions: nodeOptions, command: lambda },
  { name: 'next', compilerOptions: nextOptions, file: 'app/webhooks/route.ts', command: next },
  {
    name: 'next-pages',
    compilerOptions: nextOptions,
    file: 'pages/api/webhooks.ts',
    path: '/api/webhooks',
    command: next,
  },
  {
    name: 'workers',
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2024'],
      types: ['@cloudflare/workers-types'],
    },
    async command(project, port) {
      const args = [join(project, 'workers.recipe.ts'), '--format=esm', `--file=${join(project, 'worker.js')}`];
      await run({ command: ownProgram('rolldown'), args, cwd: project });
      const config = `worker-${port}.capnp`;
      await writeFile(join(project, config), workerdConfig(port));
      return { command: join(project, 'node_modules/.bin/workerd'), args: ['serve', config], cwd: project };
    },
  },
];

/** Runs `next dev`, because a build takes three times as long and serves the same routes. */
async function next(project: string, port: number): Promise<Command> {
  const args = [join(project, 'node_modules/next/dist/bin/next'), 'dev', '-H', '127.0.0.1', '-p', String(port)];
  return { command: process.execPath, args, cwd: project };
}

/** Runs a server that calls the recipe like a Lambda function URL, with each body as base64. */
async function lambda(project: string, port: number): Promise<Command> {
  const entry = `
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { handler } from './lambda.recipe.ts';

createServer(async (request, response) => {
  const body = (await buffer(request)).toString('base64');
  const answer = await handler({ body, isBase64Encoded: true, headers: request.headers }).catch((error) => {
    console.error(error);
    return { statusCode: 500 };
  });
  response.writeHead(answer.statusCode).end(answer.body);
}).listen(${port}, '127.0.0.1');
`;
  await writeFile(join(project, 'lambda.entry.mjs'), entry);
  return { command: process.execPath, args: [join(project, 'lambda.entry.mjs')], cwd: project };
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
