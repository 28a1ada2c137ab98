import { spawn } from 'node:child_process';
import { verifySamples } from '@tillhook/dashboard/src/webhooks/verify-samples.ts';
import { generateSecret } from '@tillhook/sdk';
import { sign } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/network/free-port.ts';

const body = '{"event":"checkout.success","data":{"reference":"order-1"}}';

test('the receiver in Node accepts webhooks that either of its secrets has signed, and no others', async (t) => {
  const address = `http://localhost:${await freePort()}/hooks/tillhook`;
  const [present, next] = [generateSecret(), generateSecret()];
  const { code = '' } = verifySamples(address).find(({ name }) => name === 'Node') ?? {};
  const program = ['--conditions=@tillhook/source', '--input-type=module', '--eval', code];
  const receiver = spawn(process.execPath, program, {
    cwd: import.meta.dirname,
    env: { ...process.env, TILLHOOK_WEBHOOK_SECRET: `${present},${next}` },
  });
  t.teardown(() => receiver.kill());
  const send = async (secret: string, sent = body) => {
    const headers = await sign(body, secret);
    return fetch(address, { method: 'POST', headers: { ...headers }, body: sent }).then(({ status }) => status);
  };

  await eventually(() => send(present).catch(() => 'not listening yet'), 204);
  t.is(await send(next), 204);
  t.is(await send(generateSecret()), 400);
  t.is(await send(present, body.replace('order-1', 'order-2')), 400);
});

test('each receiver listens at the path of the endpoint, and an unsafe path is not copied into its code', (t) => {
  const wanted = { PHP: '/hooks/a', Node: "post('/hooks/a'", Python: "post('/hooks/a'", Go: '"POST /hooks/a"' };
  for (const [name, text] of Object.entries({ ...wanted, Ruby: "post '/hooks/a'", Java: '"/hooks/a"' })) {
    const { code, needs } = verifySamples('https://shop.example.com/hooks/a').find((one) => one.name === name) ?? {};
    t.true(`${needs}${code}`.includes(text), name);
  }

  for (const { name, code } of verifySamples('https://shop.example.com/%27;evil(%22'))
    t.false(code.includes('evil'), name);
});
