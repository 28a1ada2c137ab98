/** The context that everything works with, made once for a process. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from './config.ts';
import type { Context, CoreContext } from './context.ts';
import { createKeyring } from './delivery/wire/keyring.ts';
import { systemClock } from './kit/clock.ts';
import { createSealer, type MasterKey, noSealer, type Sealer } from './kit/seal.ts';
import { readOrCreateSecret } from './kit/secret-file.ts';

type Given = Pick<CoreContext, 'config' | 'log' | 'metrics' | 'publicUrl' | 'processors' | 'sender'> & {
  orm: MikroORM;
};

export function createCoreContext({ orm, ...given }: Given): CoreContext {
  const sealer = sealerOf(given.config);
  return { ...given, em: orm.em.fork(), clock: systemClock, sealer, keyring: createKeyring(sealer) };
}

/** The context of a process that has no workers: it makes no transfers, and tells others of deliveries by this bell alone. */
export function withoutWorkers(core: CoreContext, bell: Context['bell']): Context {
  return { ...core, bell, payouts: { serves: () => false, ring() {} } };
}

function sealerOf({ masterKeys, databaseUrl, dataDir }: Config): Sealer {
  return masterKeys || databaseUrl === undefined ? createSealer(masterKeys ?? [ownMasterKey(dataDir)]) : noSealer;
}

/** Only for the embedded database: the key lies beside the data that it protects. */
function ownMasterKey(dataDir: string): MasterKey {
  const key = readOrCreateSecret(join(dataDir, 'master-key'), () => randomBytes(32).toString('base64'));
  return { id: 'local', key: Buffer.from(key, 'base64') };
}
