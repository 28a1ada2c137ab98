import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '../config/config.ts';
import type { Context, CoreContext } from '../context.ts';
import { systemClock } from '../kit/clock.ts';
import { StartError } from '../kit/errors.ts';
import { createSealer, type MasterKey, noSealer, type Sealer } from '../kit/seal.ts';
import { readOrCreateSecret } from '../kit/secret-file.ts';
import { noDirectSending } from '../webhooks/dispatch/sending.ts';
import { findNewEvents } from '../webhooks/events/event-feed.service.ts';
import { createEventWaits } from '../webhooks/events/event-waits.ts';
import { createKeyring } from '../wire/keyring.ts';

type CoreDependencies = Pick<
  CoreContext,
  'config' | 'log' | 'metrics' | 'tracer' | 'publicUrl' | 'processors' | 'sender'
> & {
  orm: MikroORM;
};

export function createCoreContext({ orm, ...dependencies }: CoreDependencies): CoreContext {
  const sealer = sealerOf(dependencies.config);
  const eventWaits = createEventWaits({
    find: (watched) => findNewEvents(core, watched),
    onFailure: (error) => dependencies.log.warn({ err: error }, 'Failed to look for new events'),
  });
  const core: CoreContext = {
    ...dependencies,
    em: orm.em.fork(),
    clock: systemClock,
    sealer,
    keyring: createKeyring(sealer),
    eventWaits,
  };
  return core;
}

/** Without workers in this process, the bell wakes the dispatchers of other processes. */
export function withoutWorkers(core: CoreContext, bell: Context['bell']): Context {
  return {
    ...core,
    bell,
    direct: noDirectSending,
    payouts: { serves: () => false, ring() {} },
    refunds: { ring() {} },
    mails: { ring() {} },
  };
}

function sealerOf({ masterKeys, databaseUrl, dataDir }: Config): Sealer {
  return masterKeys || databaseUrl === undefined ? createSealer(masterKeys ?? [localMasterKey(dataDir)]) : noSealer;
}

/** The generated master key is stored beside the data that it protects, so only the embedded database uses it. */
function localMasterKey(dataDir: string): MasterKey {
  const file = join(dataDir, 'master-key');
  const key = Buffer.from(
    readOrCreateSecret(file, () => randomBytes(32).toString('base64')),
    'base64',
  );
  if (key.length !== 32) {
    throw new StartError(`${file} must hold 32 bytes as base64. Restore it: without it no stored secret can be read.`);
  }
  return { id: 'local', key };
}
