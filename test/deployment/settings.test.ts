import { ConfigError, loadConfig, settings } from '@tillhook/server/src/config/config.ts';
import test from 'ava';
import { containers, generatedSettings, imageEnvironment, kustomization, objectsOf, readCompose } from './files.ts';

const [secret] = objectsOf('secret.example.yaml');
const masterKey = `1:${Buffer.alloc(32).toString('base64')}`;

const composed = Object.entries(readCompose().services)
  .filter(([, { image }]) => image === 'tillhook')
  .map(([name, { environment = {} }]) => ({ name: `compose.yaml: ${name}`, env: asTexts(environment) }));

const inKubernetes = containers.map(({ name, env = [], envFrom = [] }) => ({
  name: `ops/kubernetes: ${name}`,
  env: Object.assign(
    {},
    ...envFrom.map(({ configMapRef }) => (configMapRef ? generatedSettings : secret?.stringData)),
    ...env.map((variable) => ({ [variable.name]: variable.value })),
  ) as Record<string, string>,
}));

const all = [...composed, ...inKubernetes];

test('the deployment files set only variables that are settings of the server', (t) => {
  const given = [{ name: 'Dockerfile', env: imageEnvironment() }, ...all];

  t.deepEqual(
    given.map(({ name, env }) => ({ name, unknown: Object.keys(env).filter((variable) => !(variable in settings)) })),
    given.map(({ name }) => ({ name, unknown: [] })),
  );
  t.deepEqual(all.map(({ name }) => name).toSorted(), [
    'compose.yaml: api',
    'compose.yaml: demo',
    'compose.yaml: migrate',
    'compose.yaml: worker',
    'ops/kubernetes: api',
    'ops/kubernetes: migrate',
    'ops/kubernetes: worker',
  ]);
});

for (const { name, env } of all) {
  test(`${name}: the server accepts the settings, and listens on all addresses`, (t) => {
    const config = loadConfig({ ...imageEnvironment(), ...env, ...(env.DATABASE_URL && { MASTER_KEYS: masterKey }) });

    t.is(config.host, '0.0.0.0');
    t.is(config.answerCheck, 'off');
    t.truthy(config.databaseUrl);
  });
}

for (const { name, env } of all.filter(({ env }) => 'ROLE' in env)) {
  test(`${name}: the metrics have a separate port, TRUST_PROXY is 1, and the process does not migrate`, (t) => {
    const config = loadConfig({ ...imageEnvironment(), ...env, MASTER_KEYS: masterKey });

    t.like(config, { role: name.split(' ').at(-1), trustProxy: 1, migrateOnStart: false, seedDemo: false });
    t.is(typeof config.metricsPort, 'number');
    t.truthy(config.publicUrl);
    t.truthy(config.mongodbUrl);
  });
}

test('the settings of every container in Kubernetes, including the migration, are also valid with a live Stripe key', (t) => {
  const live = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', MASTER_KEYS: masterKey };

  for (const { name, env } of inKubernetes)
    t.notThrows(() => loadConfig({ ...imageEnvironment(), ...env, ...live }), name);
});

test('the server accepts the secrets of compose.yaml unchanged, and refuses the secrets of the Kubernetes example', (t) => {
  for (const { env } of composed) t.notThrows(() => loadConfig(env));

  const error = t.throws(() => loadConfig(secret?.stringData ?? {}), { instanceOf: ConfigError });
  t.regex(error?.message ?? '', /^The environment is wrong:\n {2}MASTER_KEYS: [^\n]+$/);
});

test('containers take their settings from the generated ConfigMap, and from the secret of the example', (t) => {
  const [generator] = kustomization.configMapGenerator;
  const sources = containers.flatMap(({ envFrom = [] }) => envFrom);

  t.deepEqual(new Set(sources.flatMap(({ configMapRef }) => configMapRef?.name ?? [])), new Set([generator?.name]));
  t.deepEqual(new Set(sources.flatMap(({ secretRef }) => secretRef?.name ?? [])), new Set([secret?.metadata.name]));
  t.deepEqual(generator?.envs, ['settings.env']);
});

function asTexts(environment: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
}
