import { atPublicUrl, type Contract, type Model, readModel } from '@tillhook/openapi';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import type { TestCard } from '../../processors/port.ts';
import { readerDocument } from './reader-document.ts';

/**
 * What the pages are made from: the contract and the settings of this server. No page repeats these facts by hand.
 */
export interface PortalSource {
  model: Model;
  /** The address at which readers reach this server. */
  publicUrl: string;
  delivery: Config['delivery'];
  retentionDays: number;
  ratePolicies: Config['ratePolicies'];
  testCards: readonly TestCard[];
  /** Logs when a page cannot be made. */
  log: Pick<Context['log'], 'error'>;
}

export function portalSource(
  contract: Contract,
  { config, processors, publicUrl, log }: Pick<Context, 'config' | 'processors' | 'publicUrl' | 'log'>,
): PortalSource {
  const { delivery, retentionDays, ratePolicies } = config;
  const document = atPublicUrl(readerDocument(contract.document), publicUrl);
  return {
    model: readModel({ ...contract, document }),
    publicUrl,
    delivery,
    retentionDays,
    ratePolicies,
    testCards: processors.test?.takes === 'card' ? processors.test.testCards : [],
    log,
  };
}
