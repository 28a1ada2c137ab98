import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generateSecret } from '@tillhook/sdk';
import { sign } from '@tillhook/sdk/webhooks';
import type { Check } from './checks.ts';
import { freePort, run, type Service, start } from './processes.ts';
import type { Projects } from './projects.ts';
import { place, type Recipe, recipes } from './recipes.ts';

export function recipeChecks({ frameworks }: Projects): Check[] {
  return recipes.flatMap((recipe) => [
    { title: `the recipe for ${recipe.name} compiles`, run: () => compile(recipe, frameworks) },
    {
      title: `the recipe for ${recipe.name} accepts a signed webhook, refuses every other, and answers 500 when it is misconfigured`,
      run: () =>
        inTurn(recipe.command, async () => {
          await place(recipe, frameworks);
          await withReceiver(recipe, { project: frameworks, secret }, sendAll);
          await withReceiver(recipe, { project: frameworks, secret: 'not a secret' }, sendToBrokenReceiver);
        }),
    },
  ]);
}

const turns = new Map<Recipe['command'], Promise<void>>();

/** Next allows only one server per project, so attempts with the same command run one after another. */
function inTurn(command: Recipe['command'], attempt: () => Promise<void>): Promise<void> {
  const turn = (turns.get(command) ?? Promise.resolve()).then(attempt, attempt);
  turns.set(command, turn);
  return turn;
}

const secret = generateSecret();
const reference = 'order-1042';
// The body is indented, so that a receiver that parses and serialises the body gets different bytes.
const body = JSON.stringify({ event: 'checkout.success', data: { reference } }, null, 2);

async function compile(recipe: Recipe, project: string): Promise<void> {
  const { name, compilerOptions } = recipe;
  const files = [await place(recipe, project)];
  const config = join(project, `tsconfig.${name}.json`);
  const own = { ...compilerOptions, strict: true, noEmit: true, target: 'es2024', skipLibCheck: true };
  await writeFile(config, JSON.stringify({ compilerOptions: own, files }));
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  await run({ command: process.execPath, args: [tsc, '-p', config], cwd: project });
}

async function withReceiver(
  recipe: Recipe,
  { project, secret }: { project: string; secret: string },
  send: (url: string, service: Service) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const command = await recipe.command(project, port);
  const url = `http://127.0.0.1:${port}${recipe.path ?? '/webhooks'}`;
  const service = await start({ ...command, env: { ...command.env, WEBHOOK_SECRET: secret } }, url);
  try {
    await send(url, service);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${service.output()}`, { cause: error });
  } finally {
    await service.stop();
  }
}

async function sendAll(url: string, { output }: Service): Promise<void> {
  const headers = await sign(body, secret);
  assert.equal(
    await post(url, headers, body.replace('1042', '1043')),
    400,
    'The receiver did not refuse a changed body.',
  );
  assert.equal(
    await post(url, headers, JSON.stringify(JSON.parse(body))),
    400,
    'The receiver did not refuse a body that was serialised again.',
  );
  assert.equal(await post(url, headers, ''), 400, 'The receiver did not refuse an empty body.');
  assert.equal(await post(url, {}, body), 400, 'The receiver did not refuse a body without a signature.');
  const { 'X-Service-Signature': fixed } = headers;
  assert.equal(
    await post(url, { 'X-Service-Signature': fixed }, body),
    400,
    'The receiver did not refuse a signature without a timestamp.',
  );
  assert.equal(await post(url, headers, body), 204, 'The receiver did not accept a signed body.');
  for (let tries = 0; tries < 100 && !output().includes('Paid:'); tries++) await wait(50);
  const handled = output().match(/Paid: \S+/g);
  assert.deepEqual(handled, [`Paid: ${reference}`], 'The receiver did not handle exactly the signed event.');
}

async function sendToBrokenReceiver(url: string): Promise<void> {
  assert.equal(await post(url, await sign(body, secret), body), 500);
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const signal = AbortSignal.timeout(60_000);
  const sent = { 'content-type': 'application/json', ...headers };
  const answer = await fetch(url, { method: 'POST', headers: sent, body, signal });
  await answer.arrayBuffer();
  return answer.status;
}
