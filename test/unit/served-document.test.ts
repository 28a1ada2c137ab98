import { readContract } from '@tillhook/openapi';
import { servedTexts } from '@tillhook/openapi/generate/served-document';
import test from 'ava';

const contract = readContract();
const { model } = contract;
const texts = servedTexts(contract, 'https://pay.example.com/base');
const served = JSON.parse(texts.json());
const shared = model.operations.filter(({ isInternal }) => !isInternal);

const operationsIn = (paths: object): Record<string, unknown>[] =>
  Object.values(paths).flatMap((item) => Object.values(Object(item)) as Record<string, unknown>[]);

test('an operation is internal if it belongs to the group Dashboard', (t) => {
  t.deepEqual(
    model.operations.filter(({ isInternal, tag }) => isInternal !== (tag === 'Dashboard')).map(({ id }) => id),
    [],
  );
  t.true(shared.length >= 32);
});

test('the served document has all operations and events except those of the dashboard', (t) => {
  const ids = shared.map(({ id }) => id);
  const older = JSON.parse(texts.json30());

  t.deepEqual(
    operationsIn(served.paths)
      .map(({ operationId }) => operationId)
      .sort(),
    [...ids].sort(),
  );
  t.deepEqual(
    operationsIn(older.paths)
      .map(({ operationId }) => operationId)
      .sort(),
    [...ids].sort(),
  );
  t.deepEqual(
    operationsIn(served.webhooks).map(({ operationId }) => operationId),
    model.webhooks.map(({ id }) => id),
  );
  t.deepEqual(
    served.tags.map(({ name }: { name: string }) => name),
    [...model.tags.keys()].filter((name) => name !== 'Dashboard'),
  );
});

test('the served document has the URL of this server, and nothing about sessions and the mock', (t) => {
  const [first] = served.servers;
  t.deepEqual(first, { url: 'https://pay.example.com/base', description: 'This server.' });
  t.deepEqual(Object.keys(served.components.securitySchemes), ['apiKeyHeader', 'bearerAuth']);
  for (const text of [texts.yaml(), texts.json(), texts.json30()]) {
    t.notRegex(text, /x-internal|mock-|localhost:3000|serviceMode: \[\]|Choice:/);
  }
});

test('the served document does not explain sessions, roles and operators, and has no examples of their errors', (t) => {
  const isAboutSessions = /\bsigns? in|session|cookie|role|X-Service-M|two-step|dashboard/i;
  const { Unauthorized, Forbidden } = served.components.responses;
  const namesIn = ({ content }: typeof Forbidden) => Object.keys(content['application/json'].examples);

  t.deepEqual(
    served.info.description.split('\n').filter((line: string) => isAboutSessions.test(line)),
    [
      'A merchant creates a **checkout session** and sends the customer to its hosted page. When the customer has paid, or',
    ],
  );
  t.regex(model.tags.get('Dashboard') ?? '', isAboutSessions);
  t.deepEqual(namesIn(Unauthorized), ['missingKey', 'invalidKey', 'expiredKey', 'wrongHeader']);
  t.deepEqual(namesIn(Forbidden), ['insufficientScope', 'merchantSuspended']);
});

test('every component of the served document is used, except the union of all events in OpenAPI 3.0, which clients need', (t) => {
  const unused = (text: string) => {
    const { components } = JSON.parse(text);
    const pointers = ['schemas', 'parameters', 'headers', 'responses'].flatMap((kind) =>
      Object.keys(components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    t.true(pointers.length > 100 && !text.includes('SignInRequest'));
    t.is(components.schemas.WebhookEvent.oneOf.length, 8);
    return pointers.filter((pointer) => !text.includes(`"${pointer}"`));
  };

  t.deepEqual(unused(texts.json()), []);
  t.deepEqual(unused(texts.json30()), ['#/components/schemas/WebhookEvent']);
});

test('an extensible enum has a list of its values, and has the values in its description too', (t) => {
  const { DeliveryError } = served.components.schemas;

  t.true(DeliveryError['x-extensible-enum'].includes('tls_failed'));
  t.regex(DeliveryError.description, /^Known values: .*`tls_failed`, .*[.] A later version may send others[.]$/m);
});

test('magic inputs of the mock are internal, and other request examples are not', (t) => {
  const examples = model.operations.flatMap(({ body }) => [...(body?.examples.values() ?? [])]);
  t.true(examples.filter(({ isInternal }) => isInternal).length > 20);

  for (const { name, value, summary, isInternal } of examples) {
    const isMagic = /mock-|magic/.test(`${JSON.stringify(value)} ${summary}`);
    t.is(isInternal, isMagic, name);
  }
});
