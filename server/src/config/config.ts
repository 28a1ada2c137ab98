import { z } from 'zod';
import { parseCidrs } from '../kit/address-policy.ts';
import { parseRatePolicies } from '../kit/rate-policies.ts';
import { printable } from '../kit/terminal.ts';
import { usualLimits } from '../kit/time-limits.ts';
import { readEnvFile } from './env-file.ts';
import {
  processorContradictions,
  processorSettings,
  processorsOf,
  secretProcessorSettings,
} from './processor-settings.ts';
import {
  address,
  cidrs,
  corsOrigins,
  flag,
  folder,
  fraction,
  headers,
  host,
  mailAddress,
  mailFrom,
  masterKeys,
  mongoAddress,
  oneOf,
  postgresAddress,
  ratePolicies,
  retryDelays,
  sampler,
  trustProxy,
  wholeNumber,
} from './setting-values.ts';
import { companySignInOf, signInContradictions, signInSettings } from './sign-in-settings.ts';

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * The name, type and default of every setting. `.env.example` explains each setting, and a test compares both files.
 */
export const settings = {
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: host.default('127.0.0.1'),
  METRICS_PORT: wholeNumber(0, 65535).optional(),
  PUBLIC_URL: address({ example: 'https://pay.example.com', schemes: ['https', 'http'], may: ['path'] }).optional(),
  DATA_DIR: folder.default('.data'),
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 200).default(10),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeNumber(100, 3_600_000).default(usualLimits.statementMs),
  DATABASE_CONNECT_TIMEOUT_MS: wholeNumber(100, 60_000).default(usualLimits.connectMs),
  MONGODB_URL: mongoAddress.optional(),
  ROLE: oneOf('all', 'api', 'worker').default('all'),
  MIGRATE_ON_START: flag.optional(),
  SEED_DEMO: flag.optional(),
  MASTER_KEYS: masterKeys.optional(),
  WEBHOOK_ALLOW_CIDRS: cidrs.optional(),
  DELIVERY_PROXY_URL: address({
    example: 'http://proxy.example.com:3128',
    schemes: ['http', 'https'],
    may: ['user'],
  }).optional(),
  DELIVERY_RETRY_DELAYS_MS: retryDelays.default([60_000, 900_000, 7_200_000]),
  DELIVERY_CONCURRENCY: wholeNumber(1, 4096).default(256),
  DELIVERY_ENDPOINT_CONCURRENCY: wholeNumber(1, 256).default(16),
  DELIVERY_DIRECT: oneOf('on', 'off').default('on'),
  DELIVERY_CONNECT_TIMEOUT_MS: wholeNumber(1, 60_000).default(5000),
  DELIVERY_TIMEOUT_MS: wholeNumber(1, 300_000).default(15_000),
  DELIVERY_LEASE_MS: wholeNumber(2, 3_600_000).default(60_000),
  MAIL_URL: mailAddress.optional(),
  MAIL_FROM: mailFrom.optional(),
  RETENTION_DAYS: wholeNumber(1, 3650).default(30),
  RATE_LIMITS: ratePolicies.default(() => parseRatePolicies('on')),
  RATE_LIMIT_TIMEOUT_MS: wholeNumber(100, 60_000).default(1000),
  TRUST_PROXY: trustProxy.optional(),
  CORS_ORIGINS: corsOrigins.default([]),
  ...signInSettings,
  ...processorSettings,
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(20_000),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
  LOG_FORMAT: oneOf('auto', 'people', 'json').default('auto'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address({
    example: 'http://collector.example.com:4318',
    schemes: ['http', 'https'],
    may: ['path'],
  }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.default({}),
  OTEL_TRACES_SAMPLER: sampler.default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: fraction.default(1),
  OTEL_SERVICE_NAME: z.string().min(1).default('tillhook'),
  NODE_ENV: z.string().default('development'),
};

type Settings = z.infer<z.ZodObject<typeof settings>>;

export type Config = Readonly<ReturnType<typeof complete>>;

/** The settings whose values are never printed: each value is a secret, or a URL that may contain a password. */
const secretSettings = new Set<string>([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'MONGODB_URL',
  'MASTER_KEYS',
  'DELIVERY_PROXY_URL',
  'MAIL_URL',
  'OIDC_CLIENT_SECRET',
  ...secretProcessorSettings,
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
] satisfies (keyof typeof settings)[]);

/** Throws a `ConfigError` that lists every problem. Without `seals`, the setting `MASTER_KEYS` may be missing. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, { seals } = { seals: true }): Config {
  const file = env === process.env && env.NODE_ENV !== 'test' ? readEnvFile('.env') : noFile;
  // A variable overrides the same variable in `.env`, even when empty. Empty means unset, except for lists.
  const given = Object.entries({ ...file.values, ...env }).filter(
    ([name, value]) => value !== '' || name in emptyMeansNone,
  );
  const { data, wrong, problems } = parseEach(Object.fromEntries(given));
  problems.unshift(...file.problems);
  problems.push(...contradictions(data, seals).filter((problem) => !wrong.some((name) => problem.includes(name))));
  if (problems.length > 0) {
    throw new ConfigError(`The environment is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
  return Object.freeze(complete(data, env));
}

/** Choice: tests give all their settings themselves, so a developer's `.env` must not change what they do. */
const noFile = { values: {}, problems: [] };

function parseEach(given: Record<string, string | undefined>) {
  const wrong: string[] = [];
  const problems: string[] = [];
  const data: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(settings)) {
    const { success, data: value, error } = schema.safeParse(given[name]);
    if (success) data[name] = value;
    else {
      wrong.push(name);
      const end = secretSettings.has(name) ? '' : `, but is ${quoted(given[name])}`;
      problems.push(...error.issues.map(({ message }) => `${name}: ${message}${end}`));
    }
  }
  return { data: data as Settings, wrong, problems };
}

const maxQuotedLength = 80;

function quoted(value = ''): string {
  const [text, end] = value.length > maxQuotedLength ? [value.slice(0, maxQuotedLength), '…'] : [value, ''];
  return `"${printable(text)}${end}"`;
}

const emptyMeansNone = { WEBHOOK_ALLOW_CIDRS: true, DELIVERY_RETRY_DELAYS_MS: true };

function contradictions(given: Partial<Settings>, seals: boolean): string[] {
  const problems: string[] = [];
  const { DELIVERY_LEASE_MS: leaseMs = Infinity, DELIVERY_TIMEOUT_MS: timeoutMs = 0 } = given;
  if (leaseMs < 2 * timeoutMs) {
    problems.push('DELIVERY_LEASE_MS: must be at least twice DELIVERY_TIMEOUT_MS');
  }
  if (seals && given.DATABASE_URL && !given.MASTER_KEYS) {
    problems.push('MASTER_KEYS: required when DATABASE_URL is set; make one with: echo "1:$(openssl rand -base64 32)"');
  }
  if (given.DATABASE_DIRECT_URL && !given.DATABASE_URL) {
    problems.push('DATABASE_DIRECT_URL: must be the database of DATABASE_URL, which is not set');
  }
  if (given.MAIL_URL && !given.MAIL_FROM) problems.push('MAIL_FROM: required when MAIL_URL is set');
  return [...problems, ...signInContradictions(given), ...processorContradictions(given)];
}

/** Without a mail server, a demo keeps its mails in a mailbox, and any other service writes none. */
function mailOf({ MAIL_URL: url, MAIL_FROM: from }: Settings, isDemo: boolean) {
  if (url && from) return { url, from };
  return isDemo ? { url: null, from: { name: 'Tillhook', address: 'tillhook@localhost' } } : null;
}

function complete(given: Settings, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv) {
  const isEmbedded = given.DATABASE_URL === undefined;
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(given.HOST);
  return {
    port: given.PORT,
    host: given.HOST,
    metricsPort: given.METRICS_PORT,
    publicUrl: given.PUBLIC_URL && new URL(given.PUBLIC_URL).href.replace(/\/+$/, ''),
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    databaseDirectUrl: given.DATABASE_DIRECT_URL ?? given.DATABASE_URL,
    databasePoolSize: given.DATABASE_POOL_SIZE,
    databaseLimits: { connectMs: given.DATABASE_CONNECT_TIMEOUT_MS, statementMs: given.DATABASE_STATEMENT_TIMEOUT_MS },
    mongodbUrl: given.MONGODB_URL,
    role: given.ROLE,
    migrateOnStart: given.MIGRATE_ON_START ?? isEmbedded,
    seedDemo: given.SEED_DEMO ?? isEmbedded,
    masterKeys: given.MASTER_KEYS,
    webhookAllowCidrs: given.WEBHOOK_ALLOW_CIDRS ?? (isEmbedded && isLoopback ? parseCidrs('127.0.0.0/8,::1/128') : []),
    delivery: {
      proxyUrl: given.DELIVERY_PROXY_URL,
      retryDelaysMs: given.DELIVERY_RETRY_DELAYS_MS,
      concurrency: given.DELIVERY_CONCURRENCY,
      endpointConcurrency: given.DELIVERY_ENDPOINT_CONCURRENCY,
      isDirect: given.DELIVERY_DIRECT === 'on',
      connectTimeoutMs: given.DELIVERY_CONNECT_TIMEOUT_MS,
      timeoutMs: given.DELIVERY_TIMEOUT_MS,
      leaseMs: given.DELIVERY_LEASE_MS,
    },
    mail: mailOf(given, given.SEED_DEMO ?? isEmbedded),
    retentionDays: given.RETENTION_DAYS,
    ratePolicies: given.RATE_LIMITS,
    rateLimitTimeoutMs: given.RATE_LIMIT_TIMEOUT_MS,
    trustProxy: given.TRUST_PROXY ?? false,
    corsOrigins: given.CORS_ORIGINS,
    signIn: { hasPasswords: given.PASSWORD_SIGN_IN, company: companySignInOf(given) },
    processors: processorsOf(given),
    tracing: tracingOf(given),
    shutdownGraceMs: given.SHUTDOWN_GRACE_MS,
    logLevel: given.LOG_LEVEL,
    logFormat: given.LOG_FORMAT,
    colourVariables: { NO_COLOR, FORCE_COLOR, TERM },
    answerCheck: answerCheckOf(given.NODE_ENV),
  };
}

/** In development a response that breaks the contract is sent: a 500 would hide what was already committed. */
function answerCheckOf(environment: string): 'off' | 'log' | 'fail' {
  if (environment === 'production') return 'off';
  return environment === 'test' ? 'fail' : 'log';
}

function tracingOf(given: Settings) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = given;
  if (!endpoint) return null;
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: given.OTEL_EXPORTER_OTLP_HEADERS,
    sampler: given.OTEL_TRACES_SAMPLER,
    ratio: given.OTEL_TRACES_SAMPLER_ARG,
    serviceName: given.OTEL_SERVICE_NAME,
  };
}
