import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';

export interface Account {
  uid?: number;
  gid?: number;
}

/** If this process runs as root, the account is `nobody`, because some programs refuse to run as root. */
export function otherAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export function giveTo({ uid, gid }: Account, paths: readonly string[]): void {
  if (uid === undefined || gid === undefined) return;
  for (const path of paths) chownSync(path, uid, gid);
}

export function openToOthers(directory: string): void {
  chmodSync(directory, 0o755);
}
