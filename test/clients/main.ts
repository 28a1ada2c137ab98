/**
 * `npm run clients`: generates clients from the document that the server gives to others, compiles them, and runs one
 * program with each: directly, and through a proxy that answers like a later version of the service. It ends with 1 when
 * a client fails. With CI=true, a missing toolchain is a failure too.
 * See docs/decisions/contract.md, "Any client can keep the contract".
 * See docs/decisions/tests.md, "Clients of other languages are tried by hand".
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readContract } from '@tillhook/openapi';
import { loadConfig, startTillhook } from '@tillhook/server';
import { type Client, clients, programsFolder } from './clients.ts';
import { runCommand } from './command.ts';
import { laterSuffix, ofLaterVersion, startLaterServer } from './later-server.ts';
import { install, missingPrograms } from './tools.ts';

const home = mkdtempSync(join(tmpdir(), 'tillhook-clients-'));
chmodSync(home, 0o755);
const server = await startTillhook(
  loadConfig({ PORT: '0', DATA_DIR: join(home, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'error' }),
);
const later = await startLaterServer(server.url);
const documents = await servedDocuments();
let failures = 0;
try {
  const only = process.argv.slice(2);
  const chosen = clients.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`No client has ${only.join(' or ')} in its name.`);
  // The clients of one language run one after another, because Cargo lets only one of them build at a time.
  const languages = Object.values(Object.groupBy(chosen, ({ name }) => name.split(',')[0] ?? name));
  const next = languages.values();
  await Promise.all(Array.from({ length: availableParallelism() }, () => tryLanguages(next)));
} finally {
  later.stop();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
// The schedule leaves timers, which would keep this process alive for minutes.
process.exit(failures > 0 ? 1 : 0);

async function tryLanguages(languages: Iterator<Client[] | undefined>): Promise<void> {
  for (let next = languages.next(); !next.done; next = languages.next()) {
    for (const client of next.value ?? []) await tryClient(client);
  }
}

async function tryClient(client: Client): Promise<void> {
  const { name, tools, programs = [], run, variables } = client;
  const missing = missingPrograms(tools, programs);
  if (missing.length > 0) {
    if (process.env.CI === 'true') failures += 1;
    console.error(`${name}: LEFT OUT, BECAUSE THIS MACHINE HAS NO ${missing.join(' AND NO ').toUpperCase()}.`);
    return;
  }
  const folder = join(home, `client${clients.indexOf(client)}`);
  const start = performance.now();
  try {
    await install(tools);
    await build(client, folder);
    await runCommand(run, { cwd: folder, variables: { ...variables, ...environment(server.url, '') } });
    await runCommand(run, { cwd: folder, variables: { ...variables, ...environment(later.url, laterSuffix) } });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${name}: works, also with a later version of the service (${seconds} s).`);
  } catch (error) {
    failures += 1;
    console.error(`${name}: FAILED.\n${(error as Error).message}`);
  }
}

async function servedDocuments(): Promise<Record<string, string>> {
  const names = ['openapi.yaml', 'openapi-3.0.json'];
  const texts = names.map(async (name) => [name, await (await fetch(`${server.url}/${name}`)).text()]);
  return Object.fromEntries(await Promise.all(texts));
}

async function build(
  { generate, program: [source, target], files, link, compile, variables = {} }: Client,
  folder: string,
): Promise<void> {
  mkdirSync(folder);
  for (const [path, text] of Object.entries({ ...documents, ...files })) writeFileSync(join(folder, path), text);
  if (link) symlinkSync(link[1], join(folder, link[0]));
  await runCommand(generate, { cwd: folder });
  mkdirSync(dirname(join(folder, target)), { recursive: true });
  cpSync(join(programsFolder, source), join(folder, target));
  for (const command of compile) await runCommand(command, { cwd: folder, variables });
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
