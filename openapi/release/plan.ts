import semver from 'semver';

/** The most serious difference between the released and the present contract. */
export type ContractDifference = 'breaking' | 'additive' | 'texts' | 'none';

export interface ReleaseDetails {
  /** `info.version` of the released contract. */
  released: string;
  /** `info.version` of the present contract. */
  present: string;
  difference: ContractDifference;
  /** True when a file of the SDK or the mock has changed since the release. */
  isPackageChanged: boolean;
}

export type Step = 'major' | 'minor' | 'patch';

export interface Plan {
  version: string;
  /** The smallest version step that the changes allow. A person may choose a larger step. */
  step: Step;
}

/** Thrown when no release is possible. The message says what to do. */
export class ReleaseRefused extends Error {
  override name = 'ReleaseRefused';
}

/**
 * Throws `ReleaseRefused` when nothing has changed, and when the contract's version does not fit the changes.
 * See docs/decisions/contract.md, "Release and changelog are our own programs".
 * See docs/decisions/sdk.md, "One version for the contract and all packages".
 */
export function planRelease(details: ReleaseDetails): Plan {
  const { released, present } = details;
  if (!isReleased(released)) throw new ReleaseRefused(`the released version ${released} is not like 1.2.3.`);
  const needed = stepOf(details);
  if (needed === null) {
    throw new ReleaseRefused(`nothing has changed since ${released}: neither the contract nor a package.`);
  }
  const fitting = steps.slice(steps.indexOf(needed)).map((step) => semver.inc(released, step));
  if (!fitting.includes(present)) {
    throw new ReleaseRefused(
      `the contract has version ${present}, but after ${released} the changes need a ${needed} step or a larger one.\n` +
        `Write \`version: ${fitting[0]}\` into openapi/openapi.yaml, add its notes to openapi/release/changelog-notes.ts, and run ` +
        '`npm run generate`.',
    );
  }
  return { version: present, step: needed };
}

const steps: readonly Step[] = ['patch', 'minor', 'major'];

function isReleased(version: string): boolean {
  return semver.valid(version) === version && semver.prerelease(version) === null;
}

/** Before 1.0.0, a breaking change needs only a minor step, because semver makes no promise there. */
function stepOf({ released, difference, isPackageChanged }: ReleaseDetails): Step | null {
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
