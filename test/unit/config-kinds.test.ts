import { ConfigError, loadConfig, settings } from '@tillhook/server/src/config/config.ts';
import test from 'ava';

type Refused = [value: string, said: RegExp];

const noQuery: Refused = ['?env=prod', /must have no query, which begins with a \?/];
const noFragment: Refused = ['#env', /must have no fragment, which begins with a #/];
const noUser: Refused = ['https://ada@a.example', /must have no user, which stands before an @/];
const noPath: Refused = ['https://a.example/b', /must have no path, which begins with a \/ after the host/];

const webAddress = (...others: Refused[]): Refused[] => [
  ...['a.example', 'ftp://a.example', 'https://', 'https:///b', 'https:a.example', 'https:\\\\a.example'].map(
    (value): Refused => [value, /must be an address such as https?:\/\/\S+$/],
  ),
  ...['https://a.example:99999', 'https://a b.example', 'https://1.2.3.256'].map(
    (value): Refused => [value, /must be an address such as https?:\/\/\S+$/],
  ),
  ...[noQuery, noFragment].flatMap(([end, said]): Refused[] => [
    [`https://a.example${end}`, said],
    [`https://a.example/${end.charAt(0)}`, said],
  ]),
  ...others,
];

const malformed: Refused = ['https://a%b@a.example', /must write each % as %25/];

const postgres: Refused[] = [
  ['a.example/b', /must be an address such as postgres:/],
  ['mysql://a/b', /must be an address such as postgres:/],
  ['postgres:a/b', /must be an address such as postgres:/],
  ['postgres:///b', /must be an address such as postgres:/],
  ['postgres:///b?host=', /must be an address such as postgres:/],
  ['postgres:///?host=/run/postgresql', /must name the database after the host/],
  ['postgres://ada:one/two@a/b', /must be an address such as postgres:/],
  ['postgres://ada:1/2@a/b', /must write \/ and @ in a password as %2F and %40/],
  ['postgres://ada:1#2@a/b', /must have no fragment, .+ write a # in a password as %23/],
  ['postgres://ada:1%2@a/b', /must write each % as %25/],
  ['postgres://a', /must name the database after the host/],
  ['postgres://a/?sslmode=require', /must name the database after the host/],
  ['postgres://a,b/c', /must name one host/],
];

const choice = (): Refused[] => [
  ['sometimes', /must be .+ or \S+$/],
  ['on,off', /must be .+ or \S+$/],
];

const number: Refused[] = ['many', '1e2', '-1', '0x10', '1.5', '99999999999'].map((value) => [
  value,
  /must be a whole number from \d+ to \d+$/,
]);

const ranges: Refused[] = [
  'home',
  '10.0.0.0',
  '10/8',
  '10.0.0.0/33',
  '010.0.0.0/8',
  'fe80::/129',
  'http://10.0.0.0/8',
].map((value) => [value, /must be a comma-separated list of ranges, such as 10\.0\.0\.0\/8$/]);

const proxies: Refused[] = ['the other one', '10', '10/8', '10.0.0.0/33', '10.0.0.1:80', '10.0.0.1,'].flatMap(
  (value) =>
    /^\d+$/.test(value) ? [] : [[value, /must be a number of proxies, or their addresses and ranges/] as Refused],
);

const origins: Refused[] = [
  'shop.example.com',
  'https://shop.example.com/',
  'https://Shop.example.com',
  'https://shop.example.com:443',
  'https://shop.example.com,',
  'https://ada@shop.example.com',
  'https://shop.example.com?a',
  'https://shop.example.com#a',
  '*,https://shop.example.com',
  'null',
].map((value) => [value, /must be \*, or a comma-separated list of origins without a path, such as /]);

const host: Refused[] = [
  ...['http://0.0.0.0', '0.0.0.0:3000', '[::1]', '[::1]:3000', '::1/128', 'a b', '/run/socket', '-a'].map(
    (value): Refused => [value, /must be the address or the name of this machine, without a scheme and a port/],
  ),
  ...['1.2.3.256', '127.1', '1.2.3.4.5', '0'].map((value): Refused => [value, /must have four numbers up to 255/]),
];

const folder: Refused[] = ['  ', 'a"b', 'a`b', 'a$b', 'a\nb', 'a\\b'].map((value) => [
  value,
  /must be the path of a folder, without the characters /,
]);

const merchant = '019aa3c4-1111-7c52-8f3a-1b2c3d4e5f60';
const key = Buffer.alloc(32).toString('base64');

/** A setting without refused values accepts every text. */
const kinds: Record<keyof typeof settings, Refused[] | undefined> = {
  PORT: number,
  HOST: host,
  METRICS_PORT: number,
  PUBLIC_URL: webAddress(noUser),
  DATA_DIR: process.platform === 'win32' ? folder.slice(0, -1) : folder,
  DATABASE_URL: postgres,
  DATABASE_DIRECT_URL: postgres,
  DATABASE_POOL_SIZE: number,
  DATABASE_STATEMENT_TIMEOUT_MS: number,
  DATABASE_CONNECT_TIMEOUT_MS: number,
  MONGODB_URL: ['http://a/b', 'mongodb://', 'mongodb:a', 'mongodb://a b', 'mongodb://a/b#c'].map((value) => [
    value,
    /must be an address of MongoDB, such as mongodb:/,
  ]),
  ROLE: choice(),
  MIGRATE_ON_START: choice(),
  SEED_DEMO: choice(),
  PAYOUT_PROCESSOR: [['simulator', /must be manual$/]],
  MASTER_KEYS: [
    ['a:c2hvcnQ=', /must be a comma-separated list of id:base64 of 32 bytes$/],
    [key, /must be a comma-separated list of id:base64 of 32 bytes$/],
    [`a.b:${key}`, /must be a comma-separated list of id:base64 of 32 bytes$/],
    [`a:${key}:b`, /must be a comma-separated list of id:base64 of 32 bytes$/],
    [`a:${key},a:${key}`, /must have another id for each key$/],
  ],
  WEBHOOK_ALLOW_CIDRS: ranges,
  DELIVERY_PROXY_URL: webAddress(noPath, malformed),
  DELIVERY_RETRY_DELAYS_MS: [
    ['1,2,3,4', /must hold at most three delays$/],
    ...['soon', '1,,2', '1e3', '0x10', '-1', '2592000001', '9'.repeat(400)].map(
      (value): Refused => [value, /must hold whole milliseconds from 0 to 2592000000$/],
    ),
  ],
  DELIVERY_CONCURRENCY: number,
  DELIVERY_ENDPOINT_CONCURRENCY: number,
  DELIVERY_DIRECT: choice(),
  DELIVERY_CONNECT_TIMEOUT_MS: number,
  DELIVERY_TIMEOUT_MS: number,
  DELIVERY_LEASE_MS: number,
  MAIL_URL: ['http://a.example', 'smtps://', 'mail.example.com', 'smtp://a b'].map((value) => [
    value,
    /must be an address such as smtps:/,
  ]),
  MAIL_FROM: ['Example', '<>', 'a@b <c@d', 'Example <pay@>', 'A\nB <a@b.example>x'].map((value) => [
    value,
    /must be an address such as Example <pay@example.com>/,
  ]),
  RETENTION_DAYS: number,
  RATE_LIMITS: ['sometimes', 'teapot:1/10', 'test:0/10', 'test:1'].map((value) => [
    value,
    /must be on, off, or a list of /,
  ]),
  RATE_LIMIT_TIMEOUT_MS: number,
  TRUST_PROXY: proxies,
  CORS_ORIGINS: origins,
  PASSWORD_SIGN_IN: choice(),
  OIDC_ISSUER: webAddress(noUser, ['http://login.example.com', /must be https, except on this machine$/]),
  OIDC_CLIENT_ID: undefined,
  OIDC_CLIENT_SECRET: ['a b', 'https://a', 'é'].map((value) => [value, /must be the secret that the issuer gave/]),
  OIDC_DOMAINS: [
    'example.com',
    `example.com=${merchant}:operator`,
    `example.com=${merchant}:king`,
    'example.com=1:viewer',
    `com=${merchant}`,
    `a@example.com=${merchant}`,
    `example.com=${merchant},`,
    `example.com=${merchant},EXAMPLE.com=${merchant}`,
  ].map((value) => [value, /must be a comma-separated list such as example\.com=MERCHANT_ID:viewer, each domain once/]),
  OIDC_TRUST_EMAIL: choice(),
  OIDC_NAME: ['A\nB', 'A\u202eB', 'x'.repeat(61)].map((value) => [value, /must be a name of 60 characters at most/]),
  STRIPE_SECRET_KEY: ['pk_live_a', 'sk_live_', 'https://a'].map((value) => [value, /must be a secret key of Stripe/]),
  STRIPE_WEBHOOK_SECRET: ['sk_live_a', 'whsec_', 'a'].map((value) => [
    value,
    /must be the signing secret of an endpoint at Stripe/,
  ]),
  STRIPE_API_URL: webAddress(noPath, noUser),
  SHUTDOWN_GRACE_MS: number,
  LOG_LEVEL: choice(),
  LOG_FORMAT: choice(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress(noUser),
  OTEL_EXPORTER_OTLP_HEADERS: ['x-key', 'x-key=%', 'x-key=a%0Ab'].map((value) => [
    value,
    /must be a comma-separated list of name=value, with percent-encoded values$/,
  ]),
  OTEL_TRACES_SAMPLER: choice(),
  OTEL_TRACES_SAMPLER_ARG: ['1.1', 'half', '-1'].map((value) => [value, /must be a number from 0 to 1$/]),
  OTEL_SERVICE_NAME: undefined,
  NODE_ENV: undefined,
};

test('every setting has an entry in the table of invalid values of this test', (t) => {
  t.deepEqual(Object.keys(kinds).toSorted(), Object.keys(settings).toSorted());
});

for (const [name, refused = []] of Object.entries(kinds)) {
  if (refused.length === 0) continue;
  test(`${name}: each invalid value is refused with a sentence that says what is wrong`, (t) => {
    for (const [value, said] of refused) {
      const error = t.throws(() => loadConfig({ [name]: value }), { instanceOf: ConfigError }, value);
      const lines = (error?.message ?? '').split('\n').filter((line) => line.startsWith(`  ${name}: `));
      t.true(
        lines.some((line) => said.test(line.replace(/, but is ".*"$/s, ''))),
        `${value}: ${error?.message}`,
      );
    }
  });
}

test('settings accept valid URLs with a user, port, path or query, and valid addresses and lists', (t) => {
  const given = {
    PUBLIC_URL: ' https://Pay.example.com/shop/ ',
    DELIVERY_PROXY_URL: 'http://ada:a%40b@proxy.example.com:3128',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.com/otlp',
    HOST: 'fe80::1%eth0',
    DATABASE_URL: 'postgresql://ada:a%23b@db.example.com:6432/shop?sslmode=require',
    DATABASE_DIRECT_URL: 'postgres:///shop?host=/run/postgresql',
    MASTER_KEYS: `a:${key},b:${key}`,
    MONGODB_URL: 'mongodb://one:27017,two:27017/tillhook?replicaSet=rs',
    TRUST_PROXY: '10.0.0.1, fe80::/10, loopback',
    WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8, fe80::/10,',
    DATA_DIR: '../my data',
  };

  const config = loadConfig(given);

  t.like(config, {
    publicUrl: 'https://pay.example.com/shop',
    host: given.HOST,
    databaseUrl: given.DATABASE_URL,
    databaseDirectUrl: given.DATABASE_DIRECT_URL,
    mongodbUrl: given.MONGODB_URL,
    dataDir: given.DATA_DIR,
  });
  t.is(config.delivery.proxyUrl, given.DELIVERY_PROXY_URL);
  t.is(config.tracing?.url, 'http://collector.example.com/otlp/v1/traces');
  t.is(config.webhookAllowCidrs.length, 2);
});

test('DATABASE_DIRECT_URL without DATABASE_URL is refused, because it would name another database than the embedded database', (t) => {
  t.throws(() => loadConfig({ DATABASE_DIRECT_URL: 'postgres://a/b' }), {
    message: /^ {2}DATABASE_DIRECT_URL: must be the database of DATABASE_URL, which is not set$/m,
  });
});
