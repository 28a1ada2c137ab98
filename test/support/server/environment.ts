/**
 * The settings of servers in tests. Retries wait 20 ms, because with the default delays four attempts take two hours.
 */
export function testEnvironment(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    // With NODE_ENV=test, no server of a test reads a developer's `.env`.
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    MASTER_KEYS: process.env.TEST_MASTER_KEYS ?? '',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    DELIVERY_RETRY_DELAYS_MS: '20,20,20',
    // Tests that start a server without a worker expect that nothing sends their deliveries.
    DELIVERY_DIRECT: env.ROLE === 'api' ? 'off' : 'on',
    LOG_LEVEL: 'silent',
    // The pool is smaller than the default, because a new connection takes much processor time. See `wholePool`.
    DATABASE_POOL_SIZE: '4',
    RATE_LIMITS: 'off',
    // Many servers share the machine, and a slow database must not fail a test.
    DATABASE_CONNECT_TIMEOUT_MS: '30000',
    RATE_LIMIT_TIMEOUT_MS: '30000',
    ...env,
  };
}
