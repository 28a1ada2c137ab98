import { loadConfig } from '@tillhook/server/src/config/config.ts';
import { createSealer, type Sealer } from '@tillhook/server/src/kit/seal.ts';

/** Opens what the servers of the tests have encrypted. */
export function testSealer(): Sealer {
  return createSealer(loadConfig({ MASTER_KEYS: process.env.TEST_MASTER_KEYS }).masterKeys ?? []);
}
