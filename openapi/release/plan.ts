import semver from 'semver';

/**
 * How the contract differs from the released one: a client can break, or can do more, or only texts are new, or
 * nothing is.
 */
export type ContractDifference = 'breaking' | 'additive' | 'texts' | 'none';

export interface ReleaseFacts {
  /** `info.version` of the released contract. */
  released: string;
  /** `info.version` of the contract as it is now. */
  present: string;
  difference: ContractDifference;
  /** Whether a file of the SDK or the mock has changed since the release. */
  isPackageChanged: boolean;
}

export type Step = 'major' | 'minor' | 'patch';

export interface Plan {
  version: string;
  /** What is needed at least. A person may choose a larger step. */
  step: Step;
}

/** There can be no release, for a reason that a person can remove. */
export class ReleaseRefused extends Error {
  override name = 'ReleaseRefused';
}

/**
 * Finds the next version. Throws `ReleaseRefused` when nothing has changed, and when the contract has another version.
 * See docs/decisions/contract.md, "Release and changelog are our own programs".
 * See docs/decisions/sdk.md, "One version for the contract and all packages".
 */
export function planRelease(facts: ReleaseFacts): Plan {
  const { released, present } = facts;
  if (!isReleased(released)) throw new ReleaseRefused(`the released version ${released} is not like 1.2.3.`);
  const needed = stepOf(facts);
  if (needed === null) {
    throw new ReleaseRefused(`nothing has changed since ${released}: neither the contract nor a package.`);
  }
  const fitting = steps.slice(steps.indexOf(needed)).map((step) => semver.inc(released, step));
  if (!fitting.includes(present)) {
    throw new ReleaseRefused(
      `the contract has the version ${present}, which does not follow ${released} by a ${needed} step.\n` +
        `Write \`version: ${fitting[0]}\` into openapi/openapi.yaml, add its notes to openapi/release/changelog-notes.ts, and run ` +
        '`npm run generate`.',
    );
  }
  return { version: present, step: needed };
}

/** From the smallest to the largest. */
const steps: readonly Step[] = ['patch', 'minor', 'major'];

function isReleased(version: string): boolean {
  return semver.valid(version) === version && semver.prerelease(version) === null;
}

/** Before 1.0.0 the second number counts what breaks a client too, because the first one promises that nothing does. */
function stepOf({ released, difference, isPackageChanged }: ReleaseFacts): Step | null {
  switch (difference) {
    case 'breaking':
      return semver.major(released) === 0 ? 'minor' : 'major';
    case 'additive':
      return 'minor';
    case 'texts':
      return 'patch';
    case 'none':
      return isPackageChanged ? 'patch' : null;
  }
}
