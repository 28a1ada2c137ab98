import { readFileSync } from 'node:fs';
import { ConfigError, loadConfig, settings } from '@tillhook/server/src/config/config.ts';
import test from 'ava';

const masterKey = Buffer.alloc(32).toString('base64');

test('.env.example names every setting, and nothing else', (t) => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const named = [...text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);

  t.deepEqual(named.toSorted(), Object.keys(settings).toSorted());
});

test('the values of .env.example are the defaults', (t) => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const given: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/^([A-Z][A-Z_]+)=(.+)$/gm)) given[name] = value;

  t.deepEqual(loadConfig(given), loadConfig({}));
});

test('receivers on loopback are allowed only with the embedded database and a loopback host', (t) => {
  const allowed = (env: Record<string, string>) => loadConfig(env).webhookAllowCidrs.length;

  t.is(allowed({}), 2);
  t.is(allowed({ HOST: '0.0.0.0' }), 0);
  t.is(allowed({ DATABASE_URL: 'postgres://a/b', MASTER_KEYS: `a:${masterKey}` }), 0);
  t.is(allowed({ WEBHOOK_ALLOW_CIDRS: '' }), 0);
});

test('a database of DATABASE_URL is neither migrated nor seeded by default', (t) => {
  t.like(loadConfig({}), { migrateOnStart: true, seedDemo: true });
  t.like(loadConfig({ DATABASE_URL: 'postgres://a/b', MASTER_KEYS: `a:${masterKey}` }), {
    migrateOnStart: false,
    seedDemo: false,
  });
});

test('an empty list of delays means no retry', (t) => {
  t.deepEqual(loadConfig({ DELIVERY_RETRY_DELAYS_MS: '' }).delivery.retryDelaysMs, []);
});

test('the URL of a replica set may list all members', (t) => {
  const address = 'mongodb://one:27017,two:27017/tillhook?replicaSet=rs';

  t.is(loadConfig({ MONGODB_URL: address }).mongodbUrl, address);
});

const refused: [name: string, value: string][] = [
  ['RATE_LIMITS', 'sometimes'],
  ['RATE_LIMITS', 'teapot:1/10'],
  ['RATE_LIMITS', 'test:0/10'],
  ['TRUST_PROXY', 'the other one'],
  ['PORT', '65536'],
  ['PORT', 'http'],
  ['PUBLIC_URL', 'ftp://shop.example.com'],
  ['DATABASE_URL', 'mysql://a/b'],
  ['DATABASE_STATEMENT_TIMEOUT_MS', '0'],
  ['DATABASE_CONNECT_TIMEOUT_MS', 'soon'],
  ['MONGODB_URL', 'http://a/b'],
  ['MONGODB_URL', 'mongodb://'],
  ['ROLE', 'boss'],
  ['MASTER_KEYS', 'a:c2hvcnQ='],
  ['DELIVERY_RETRY_DELAYS_MS', '1,2,3,4'],
  ['DELIVERY_RETRY_DELAYS_MS', 'soon'],
  ['DELIVERY_LEASE_MS', '29999'],
  ['WEBHOOK_ALLOW_CIDRS', 'home'],
  ['DELIVERY_PROXY_URL', 'proxy:3128'],
  ['PAYOUT_PROCESSOR', 'simulator'],
  ['CORS_ORIGINS', 'shop.example.com'],
  ['CORS_ORIGINS', 'https://shop.example.com/'],
  ['CORS_ORIGINS', 'https://Shop.example.com'],
  ['CORS_ORIGINS', 'https://shop.example.com:443'],
  ['CORS_ORIGINS', 'https://shop.example.com,'],
  ['CORS_ORIGINS', '*,https://shop.example.com'],
  ['CORS_ORIGINS', 'null'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=%'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=a%0Ab'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
  ['OTEL_TRACES_SAMPLER_ARG', 'half'],
];

for (const [name, value] of refused) {
  test(`${name}=${value} is refused, and the message names the setting`, (t) => {
    const error = t.throws(() => loadConfig({ [name]: value }), { instanceOf: ConfigError });

    t.regex(error?.message ?? '', new RegExp(`^  ${name}: `, 'm'));
  });
}

const messages: [name: string, value: string, message: string][] = [
  ['PORT', '30a0', 'must be a whole number from 0 to 65535, but is "30a0"'],
  ['PORT', '1e3', 'must be a whole number from 0 to 65535, but is "1e3"'],
  ['RETENTION_DAYS', '0', 'must be a whole number from 1 to 3650, but is "0"'],
  ['ROLE', 'boss', 'must be all, api or worker, but is "boss"'],
  ['SEED_DEMO', 'yes', 'must be true or false, but is "yes"'],
  ['PUBLIC_URL', 'shop', 'must be an address such as https://pay.example.com, but is "shop"'],
  ['LOG_LEVEL', 'a\u001b[2Jb', 'must be trace, debug, info, warn, error or silent, but is "a�[2Jb"'],
];

for (const [name, value, message] of messages) {
  test(`the message about ${name}=${JSON.stringify(value)} contains the rule and the value`, (t) => {
    const error = t.throws(() => loadConfig({ [name]: value }), { instanceOf: ConfigError });

    t.is(error?.message, `The environment is wrong:\n  ${name}: ${message}`);
  });
}

const secret = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'MONGODB_URL',
  'MASTER_KEYS',
  'DELIVERY_PROXY_URL',
  'OIDC_CLIENT_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

for (const name of secret) {
  test(`the message about a wrong ${name} does not contain its value`, (t) => {
    const error = t.throws(() => loadConfig({ [name]: 'ftp://user:hidden@host' }), { instanceOf: ConfigError });

    t.regex(error?.message ?? '', new RegExp(`^  ${name}: must `, 'm'));
    t.notRegex(error?.message ?? '', /hidden/);
  });
}

test('traces are off without a collector, and the settings of OpenTelemetry apply to traces', (t) => {
  t.is(loadConfig({ OTEL_TRACES_SAMPLER: 'always_on' }).tracing, null);
  t.deepEqual(
    loadConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi, x-scope=a=b',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.1',
    }).tracing,
    {
      url: 'https://collector.example.com/otlp/v1/traces',
      headers: { authorization: 'Basic YTpi', 'x-scope': 'a=b' },
      sampler: 'parentbased_traceidratio',
      ratio: 0.1,
      serviceName: 'tillhook',
    },
  );
});

test('a wrong setting does not hide other problems, and is not reported a second time as a contradiction to another setting', (t) => {
  const env = {
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_API_URL: 'nonsense',
    RATE_LIMITS: 'off',
    PAYOUT_PROCESSOR: 'nobody',
    DATABASE_URL: 'postgres://localhost/x',
    MASTER_KEYS: 'short',
  };

  const { message = '' } = t.throws(() => loadConfig(env)) ?? {};

  const named = message
    .split('\n')
    .slice(1)
    .map((line) => /^ {2}(\w+)/.exec(line)?.[1]);
  t.deepEqual(named.toSorted(), [
    'MASTER_KEYS',
    'PAYOUT_PROCESSOR',
    'PUBLIC_URL',
    'RATE_LIMITS',
    'STRIPE_API_URL',
    'STRIPE_SECRET_KEY',
  ]);
});

const company = { OIDC_ISSUER: 'https://login.example.com/', OIDC_CLIENT_ID: 'tillhook', OIDC_CLIENT_SECRET: 's3cret' };

test('company sign-in is off without its settings, and domains are compared in their ASCII form', (t) => {
  t.is(loadConfig({}).signIn.company, null);
  const merchantId = '019aa3c4-1111-7c52-8f3a-1b2c3d4e5f60';
  const { domains, ...rest } =
    loadConfig({ ...company, OIDC_DOMAINS: `Bücher.example=${merchantId}` }).signIn.company ?? t.fail('off');
  t.deepEqual(rest, {
    issuer: 'https://login.example.com/',
    clientId: 'tillhook',
    clientSecret: 's3cret',
    name: 'your company account',
    trustsEmail: false,
  });
  t.deepEqual([...domains], [['xn--bcher-kva.example', { merchantId, role: 'viewer' }]]);
});

test('an incomplete set of the settings of company sign-in is refused', (t) => {
  for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']) {
    const message = `The environment is wrong:\n  ${name}: required with the other settings of company sign-in`;
    t.throws(() => loadConfig({ ...company, [name]: '' }), { message });
  }
});

test('passwords can be off only where another way to sign in is left', (t) => {
  const left = [company, { PUBLIC_URL: 'https://pay.example.com' }, { PUBLIC_URL: 'http://localhost:3000' }];
  const none = [{}, { PUBLIC_URL: 'http://pay.example.com' }, { PUBLIC_URL: 'https://192.0.2.1' }];
  for (const env of left) t.false(loadConfig({ ...env, PASSWORD_SIGN_IN: 'false' }).signIn.hasPasswords);
  for (const env of none) {
    t.throws(() => loadConfig({ ...env, PASSWORD_SIGN_IN: 'false' }), {
      message: /PASSWORD_SIGN_IN: can be false only/,
    });
  }
});
