import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';

export interface Account {
  uid?: number;
  gid?: number;
}

/**
 * Returns the account for programs that refuse to run as root: `nobody` if this process runs as root, and otherwise
 * the account of this process.
 */
export function otherAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Makes the account the owner of these files and directories. */
export function giveTo({ uid, gid }: Account, paths: readonly string[]): void {
  if (uid === undefined || gid === undefined) return;
  for (const path of paths) chownSync(path, uid, gid);
}

/** Lets other accounts read a directory. */
export function openToOthers(directory: string): void {
  chmodSync(directory, 0o755);
}
