/** Retries wait 20 ms, because with the default delays four attempts would take two hours. */
export function testEnvironment(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    // With NODE_ENV=test, the server does not read the `.env` of a developer.
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    MASTER_KEYS: process.env.TEST_MASTER_KEYS ?? '',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    DELIVERY_RETRY_DELAYS_MS: '20,20,20',
    // Tests that start a server without a worker expect that no process sends their deliveries.
    DELIVERY_DIRECT: env.ROLE === 'api' ? 'off' : 'on',
    LOG_LEVEL: 'silent',
    // The pool is smaller than the default pool, because a new connection takes much processor time. See `wholePool`.
    DATABASE_POOL_SIZE: '4',
    RATE_LIMITS: 'off',
    // The timeouts are long, because many servers share the machine, and a slow database must not fail a test.
    DATABASE_CONNECT_TIMEOUT_MS: '30000',
    RATE_LIMIT_TIMEOUT_MS: '30000',
    ...env,
  };
}
