/** The name of the cookie that holds a session: over https its prefix keeps other hosts from setting it. */
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../support/network/free-port.ts';
import { startServer, type TestMerchant } from '../support/server/tillhook.ts';
import { addUser, password } from '../support/users/users.ts';

const addresses: [publicUrl: string, name: string, path: string][] = [
  ['https://pay.example.com', '__Host-tillhook_session', '/'],
  ['https://shop.example.com/pay', '__Secure-tillhook_session', '/pay/'],
  ['http://pay.example.com', 'tillhook_session', '/'],
];

async function signedIn(t: ExecutionContext, publicUrl: string) {
  const port = String(await freePort());
  const server = await startServer(t, { ROLE: 'api', PORT: port, PUBLIC_URL: publicUrl });
  const { id } = await server.arrange('createMerchant', { name: 'Ada’s Books' });
  const email = await addUser(server, { id } as TestMerchant);
  // Like a proxy: the public address leads nowhere here.
  const ask = (method: string, headers: Record<string, string>, body?: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/dashboard/session`, { method, headers, ...(body && { body }) });
  const json = { 'content-type': 'application/json' };
  const response = await ask('POST', json, JSON.stringify({ email, password }));
  const [pair = '', ...attributes] = response.headers.get('set-cookie')?.split('; ') ?? [];
  return {
    pair,
    attributes,
    ask: (cookie: string, method = 'GET') => ask(method, { cookie, 'x-service-mode': 'test' }),
  };
}

for (const [publicUrl, name, path] of addresses) {
  test(`the cookie of ${publicUrl} is ${name}, and no other name is read`, async (t) => {
    const { pair, attributes, ask } = await signedIn(t, publicUrl);
    const token = pair.slice(name.length + 1);

    t.is(pair, `${name}=${token}`);
    t.true(attributes.includes(`Path=${path}`), attributes.join());
    t.is(attributes.includes('Secure'), publicUrl.startsWith('https:'));
    t.false(attributes.some((attribute) => attribute.startsWith('Domain')));
    t.is((await ask(pair)).status, 200);
    for (const [, other] of addresses.filter(([, other]) => other !== name)) {
      const refused = await ask(`${other}=${token}`);
      t.is(refused.status, 401);
      t.is(refused.headers.get('www-authenticate'), `Cookie realm="tillhook", cookie-name="${name}"`);
    }
    t.regex((await ask(pair, 'DELETE')).headers.get('set-cookie') ?? '', new RegExp(`^${name}=;`));
  });
}
