/**
 * `npm run clients`: generates clients from the document that the server gives to others, compiles them, and runs one
 * program with each: directly, and through a proxy that answers like a later version of the service. It ends with 1 when
 * a client fails. The generators are not from npm, so `.ci/run` runs this and `npm test` does not.
 * See docs/decisions/contract.md, "Any client can keep the contract".
 */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readContract } from '@tillhook/openapi';
import { loadConfig, startTillhook } from '@tillhook/server';
import { type Client, type Command, clientsOf, programsFolder } from './clients.ts';
import { laterSuffix, ofLaterVersion, startLaterServer } from './later-server.ts';

const tools = {
  openapiGenerator: process.env.OPENAPI_GENERATOR_JAR ?? 'openapi-generator-cli.jar',
  oapiCodegen: process.env.OAPI_CODEGEN ?? 'oapi-codegen',
  openapiPythonClient: process.env.OPENAPI_PYTHON_CLIENT ?? 'openapi-python-client',
  python: process.env.CLIENTS_PYTHON ?? 'python3',
};

const home = mkdtempSync(join(tmpdir(), 'tillhook-clients-'));
chmodSync(home, 0o755);
const server = await startTillhook(
  loadConfig({ PORT: '0', DATA_DIR: join(home, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'error' }),
);
const later = await startLaterServer(server.url);
let failures = 0;
try {
  for (const name of ['openapi.yaml', 'openapi-3.0.json']) {
    const document = await fetch(`${server.url}/${name}`);
    writeFileSync(join(home, name), await document.text());
  }
  const only = process.argv.slice(2);
  const clients = clientsOf(tools).filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  for (const [index, client] of clients.entries()) await tryClient(client, join(home, `client${index}`));
} finally {
  later.stop();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
// The schedule leaves timers, which would keep this process alive for minutes.
process.exit(failures > 0 ? 1 : 0);

async function tryClient(client: Client, folder: string): Promise<void> {
  try {
    await build(client, folder);
    await run(client.run, folder, environment(server.url, ''));
    await run(client.run, folder, environment(later.url, laterSuffix));
    console.log(`${client.name}: works, also with a later version of the service.`);
  } catch (error) {
    failures += 1;
    console.error(`${client.name}: FAILED.\n${(error as Error).message}`);
  }
}

async function build({ generate, program: [source, target], files = {}, compile }: Client, folder: string) {
  mkdirSync(folder);
  await run(generate, folder);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  mkdirSync(dirname(join(folder, target)), { recursive: true });
  cpSync(join(programsFolder, source), join(folder, target));
  for (const command of compile) await run(command, folder);
}

/** What a program gets. The sample is a webhook of a checkout with an amount beyond 2³¹. */
function environment(url: string, suffix: string): Record<string, string> {
  const webhook = readContract().model.webhooks.find(({ name }) => name === 'checkout.success');
  if (!webhook || !server.demo)
    throw new Error('The contract has no checkout.success, or the server no demo merchant.');
  const [usual] = [...webhook.body.examples.values()].map(({ value }) => value as { data: object });
  const body = { ...usual, data: { ...usual?.data, amount: 5_000_000_000 } };
  return {
    BASE_URL: url,
    API_KEY: server.demo.testKey,
    CODE_SUFFIX: suffix,
    WEBHOOK_BODY: JSON.stringify(suffix ? ofLaterVersion(webhook.body.schema, body) : body),
  };
}

/** Runs a command, and throws its output when it fails. */
function run([program, ...args]: Command, cwd: string, variables: Record<string, string> = {}): Promise<void> {
  const child = spawn(program, args, { cwd, env: { ...process.env, GOFLAGS: '-mod=mod', ...variables } });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(' ')}\n${output.join('').slice(-3000)}`));
    });
  });
}
