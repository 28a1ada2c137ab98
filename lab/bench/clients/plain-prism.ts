/** Prism's own server with our contract, the settings of Prism's command line, and no log. */
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { readContract } from '@tillhook/openapi';

const operations = await getHttpOperationsFromSpec(structuredClone(readContract().document));
const server = createServer(operations, {
  cors: true,
  components: { logger: createLogger('prism', { level: 'silent' }) },
  config: {
    isProxy: false,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false },
  },
});
process.send?.(await server.listen(0, '127.0.0.1'));
