import { compareContracts } from '../compare-contracts.ts';
import type { Contract } from '../read-contract.ts';
import type { ContractDifference } from './plan.ts';

/** The number of differences of each weight, as `redocly diff` counts them. */
export interface Differences {
  breaking: number;
  additive: number;
  texts: number;
}

/** Compares the released contract with the present one. Another `info.version` alone is no difference. */
export async function countDifferences(released: Contract, present: Contract): Promise<Differences> {
  const { info } = present.document as { info: object };
  const document = { ...present.document, info: { ...info, version: released.model.version } };
  const revision = { ...present, document, model: present.model };
  const { stdout } = await compareContracts(released, revision, ['--format', 'json', '--fail-on', 'none']);
  const { major, minor, patch }: { major: number; minor: number; patch: number } = JSON.parse(stdout).summary;
  return { breaking: major, additive: minor, texts: patch };
}

/** The weight of the heaviest difference. */
export function heaviest({ breaking, additive, texts }: Differences): ContractDifference {
  if (breaking > 0) return 'breaking';
  if (additive > 0) return 'additive';
  return texts > 0 ? 'texts' : 'none';
}
