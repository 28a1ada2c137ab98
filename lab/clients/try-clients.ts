import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readContract } from '@tillhook/openapi';
import { Tillhook } from '@tillhook/sdk';
import { loadConfig, startTillhook } from '@tillhook/server';
import { everyEvent } from '@tillhook/test/support/events/every-event.ts';
import { runCommand } from '@tillhook/test/support/programs/run-command.ts';
import { arrangements } from '@tillhook/test/support/server/arrange.ts';
import { type Client, clients, programsFolder } from './clients.ts';
import { laterSuffix, ofLaterVersion, startLaterServer } from './later-server.ts';
import { install, missingPrograms, spectral } from './tools.ts';

/** Spectral counts as a client. */
export interface Outcome {
  worked: string[];
  failed: string[];
  leftOut: string[];
}

interface Surroundings {
  folder: string;
  documents: Readonly<Record<string, string>>;
  outcome: Outcome;
  /** Each call creates a new merchant, because a merchant can have only 16 endpoints. */
  environments(): Promise<Record<string, string>[]>;
}

export async function tryClients(texts: readonly string[]): Promise<Outcome> {
  const chosen = clients.filter(({ name }) => texts.length === 0 || texts.some((text) => name.includes(text)));
  if (chosen.length === 0) throw new Error(`No client has ${texts.join(' or ')} in its name.`);
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-clients-'));
  chmodSync(folder, 0o755);
  const server = await startTillhook(
    loadConfig({ PORT: '0', DATA_DIR: join(folder, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'error' }),
  );
  const later = await startLaterServer(server.url);
  const outcome: Outcome = { worked: [], failed: [], leftOut: [] };
  const environments = async () => {
    const { testKey } = await arrangements.createMerchant(server.context, { name: 'Test Store' });
    await everyEvent(new Tillhook(testKey, { baseUrl: server.url }));
    return [environment(server.url, testKey, ''), environment(later.url, testKey, laterSuffix)];
  };
  try {
    const around = { folder, documents: await servedDocuments(server.url), outcome, environments };
    // The clients of one language run one after another, because Cargo allows only one build at a time.
    const languages = Object.values(Object.groupBy(chosen, ({ name }) => name.split(',')[0] ?? name));
    const next = languages.values();
    await Promise.all(Array.from({ length: availableParallelism() }, () => tryLanguages(next, around)));
    if (texts.length === 0) await trySpectral(around);
    return outcome;
  } finally {
    later.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryLanguages(languages: Iterator<Client[] | undefined>, around: Surroundings): Promise<void> {
  for (let next = languages.next(); !next.done; next = languages.next()) {
    for (const client of next.value ?? []) await tryClient(client, around);
  }
}

async function tryClient(client: Client, { folder, documents, outcome, environments }: Surroundings): Promise<void> {
  const own = join(folder, `client${clients.indexOf(client)}`);
  await attempt(client, outcome, async () => {
    await build(client, own, documents);
    for (const given of await environments()) {
      await runCommand(client.run, { cwd: own, variables: { ...client.variables, ...given } });
    }
    return 'works, also with a later version of the service';
  });
}

/** Spectral is a linter that other teams use; `npm run check` lints the same document with Redocly. */
async function trySpectral({ folder, documents, outcome }: Surroundings): Promise<void> {
  const own = join(folder, 'spectral');
  await attempt({ name: 'Spectral, spectral:oas', tools: ['spectral'] }, outcome, async () => {
    mkdirSync(own);
    writeFiles(own, { ...documents, '.spectral.yaml': 'extends: ["spectral:oas"]\n' });
    await runCommand([spectral, 'lint', 'openapi.yaml', '--fail-severity=hint'], { cwd: own });
    return 'finds no problem in the served document';
  });
}

async function attempt(
  { name, tools, programs = [] }: Pick<Client, 'name' | 'tools' | 'programs'>,
  outcome: Outcome,
  work: () => Promise<string>,
): Promise<void> {
  const missing = missingPrograms(tools, programs);
  if (missing.length > 0) {
    outcome.leftOut.push(name);
    console.error(
      `NO TOOLCHAIN ON THIS MACHINE: ${name} is not tried, because ${missing.join(' and ')} is not installed.`,
    );
    return;
  }
  const start = performance.now();
  try {
    await install(tools);
    const result = await work();
    outcome.worked.push(name);
    console.log(`${name}: ${result} (${((performance.now() - start) / 1000).toFixed(1)} s).`);
  } catch (error) {
    outcome.failed.push(name);
    console.error(`✘ ${name}\n${(error as Error).message}`);
  }
}

async function servedDocuments(url: string): Promise<Record<string, string>> {
  const names = ['openapi.yaml', 'openapi-3.0.json'];
  const texts = names.map(async (name) => [name, await (await fetch(`${url}/${name}`)).text()]);
  return Object.fromEntries(await Promise.all(texts));
}

async function build(
  { generate, program: [source, target], files, link, compile, variables = {} }: Client,
  folder: string,
  documents: Readonly<Record<string, string>>,
): Promise<void> {
  mkdirSync(folder);
  writeFiles(folder, { ...documents, ...files });
  if (link) symlinkSync(link[1], join(folder, link[0]));
  await runCommand(generate, { cwd: folder });
  mkdirSync(dirname(join(folder, target)), { recursive: true });
  cpSync(join(programsFolder, source), join(folder, target));
  for (const command of compile) await runCommand(command, { cwd: folder, variables });
}

function writeFiles(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The sample webhook is about a checkout with an amount above 2³¹. */
function environment(url: string, key: string, suffix: string): Record<string, string> {
  const webhook = readContract().model.webhooks.find(({ name }) => name === 'checkout.success');
  if (!webhook) throw new Error('The contract has no event checkout.success.');
  const [usual] = [...webhook.body.examples.values()].map(({ value }) => value as { data: object });
  const body = { ...usual, data: { ...usual?.data, amount: 5_000_000_000 } };
  return {
    BASE_URL: url,
    API_KEY: key,
    CODE_SUFFIX: suffix,
    WEBHOOK_BODY: JSON.stringify(suffix ? ofLaterVersion(webhook.body.schema, body) : body),
  };
}
