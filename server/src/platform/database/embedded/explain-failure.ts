/** The programs of Postgres report a failure as text, which is English because they run with LC_ALL=C. */
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Place {
  home: string;
  directory: string;
  account: { name: string; uid: number | undefined };
}

interface Cause {
  code?: unknown;
  message?: string;
  stderr?: string;
}

/** `log` is the part of Postgres's log that this start has written. */
export function explainFailure(error: unknown, place: Place, log = ''): Error {
  const cause = (error ?? {}) as Cause;
  const output = `${cause.stderr ?? ''}\n${log}`;
  return new Error(ofCode(cause, place) ?? ofText(output, place) ?? unknown(cause, output, place), { cause: error });
}

function ofCode({ code, message = '' }: Cause, place: Place): string | undefined {
  const { home, directory } = place;
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `DATA_DIR must be a folder, and ${home} is a file or is in a file. Choose another DATA_DIR.`;
    case 'ENOENT':
      if (message.startsWith('spawn ')) return cannotRun(message);
      return `DATA_DIR (${home}) cannot be created: ${message}. Choose another DATA_DIR.`;
    case 'ENAMETOOLONG':
    case 'ELOOP':
      return `DATA_DIR cannot be used: ${message}. Choose another DATA_DIR.`;
    case 'EACCES':
    case 'EPERM':
      if (message.startsWith('spawn ')) return cannotRun(message);
      return (
        ofOwner(place) ??
        `This account may not use DATA_DIR (${home}): ${message}. Give it the right, or choose another DATA_DIR.`
      );
    case 'EROFS':
      return readOnly(home);
    case 'ENOSPC':
    case 'EDQUOT':
      return full(home);
    case '28P01':
      return (
        `The password in ${join(home, 'postgres-password')} is not that of the database, because the file was lost or replaced. ` +
        `Restore it, or move ${directory} away, and a new database is created.`
      );
    default:
      return ofOwner(place);
  }
}

/** If the folder has another owner, Postgres may report only `Permission denied` for one of its files. */
function ofOwner({ directory, account }: Place): string | undefined {
  const found = orElse(undefined, () => statSync(directory));
  if (account.uid === undefined || !found || found.uid === account.uid) return undefined;
  return (
    `${directory} belongs to another account, as after cp -r by root, and Postgres runs as ${account.name}. ` +
    `Run as root: chown -R ${account.name} '${directory}'`
  );
}

function ofText(output: string, { home, directory, account }: Place): string | undefined {
  const has = (...parts: string[]) => parts.some((part) => output.includes(part));
  if (has('shared librar', 'Library not loaded', 'Exec format error')) return cannotRun(output);
  if (has('the PID file', 'invalid data in PID file', 'bogus data in lock file', 'is empty')) {
    return (
      `${join(directory, 'postmaster.pid')} is empty or broken, as after a power failure. ` +
      'Make sure that no Postgres uses this folder, remove that file, and start again.'
    );
  }
  if (has('has invalid permissions')) {
    return `Other accounts may read or change ${directory}, which Postgres refuses. Run: chmod 700 '${directory}'`;
  }
  if (has('files are incompatible with server')) return ofAnotherVersion(output, directory);
  if (has('shared memory segment') && has('No space left on device')) {
    return 'The memory that processes share is full (/dev/shm). Give the machine or container more of it.';
  }
  if (has('No space left on device', 'Disk quota exceeded')) return full(home);
  if (has('Read-only file system')) return readOnly(home);
  if (has('shared memory block', 'another postmaster', 'another postgres')) {
    return `Another Postgres still uses ${directory}. End it, and start again.`;
  }
  if (has('Permission denied')) {
    const [, path = directory] = /"([^"]+)"[^"]*: Permission denied/.exec(output) ?? [];
    return (
      `Postgres runs as the account ${account.name}, which may not use ${path}. ` +
      'Give it the right to use this and the folders above, or choose another DATA_DIR.'
    );
  }
  if (has('find the database system', 'server configuration file', 'No such file or directory')) {
    const [, path] = /"([^"]+)"(?: for reading)?: No such file or directory/.exec(output) ?? [];
    return isIncomplete(directory, path);
  }
  if (has('did not start in time')) {
    return (
      'Postgres has not started within a minute. It may be repairing its files after it was killed: ' +
      `read ${join(directory, 'log')}, and start again when it has ended.`
    );
  }
  // When the disk is full, Postgres cannot write the cause of its failure to its log.
  return hasNoSpace(home) ? full(home) : undefined;
}

function ofAnotherVersion(output: string, directory: string): string {
  const [, theirs = 'another version', ours = ''] =
    /by PostgreSQL version ([\d.]+), which is not compatible with this version ([\d.]+\d)/.exec(output) ?? [];
  return (
    `The database in ${directory} was made by Postgres ${theirs}, and this is Postgres ${ours}. Copy its data with ` +
    `pg_dump of Postgres ${theirs} and restore it, or choose another DATA_DIR, where a new database is created.`
  );
}

export const isIncomplete = (directory: string, missing = join(directory, 'PG_VERSION')) =>
  `The database in ${directory} is incomplete: ${missing} is missing. ` +
  'Restore the folder from a copy, or move it away, and a new database is created.';

const full = (home: string) => `The disk of DATA_DIR (${home}) is full. Make room, and start again.`;

const readOnly = (home: string) =>
  `The disk of DATA_DIR (${home}) can only be read. Make it writable, or choose another DATA_DIR.`;

const cannotRun = (text: string) =>
  `The programs of the embedded Postgres do not run on this machine (${lastLine(text)}). Set DATABASE_URL to another Postgres.`;

/** Postgres needs this much free space to start. */
const minBytes = 64 * 1024;

function hasNoSpace(home: string): boolean {
  const folder = existsSync(home) ? home : dirname(home);
  return orElse(false, () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < minBytes;
  });
}

function unknown({ message = '' }: Cause, output: string, { directory }: Place): string {
  if (!output.trim()) return message;
  const said = /(?:FATAL|PANIC): *(.+)/.exec(output)?.[1] ?? lastLine(output);
  return `${said}${existsSync(join(directory, 'log')) ? ` (${join(directory, 'log')} says more)` : ''}`;
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)?.trim() ?? '';

export function logAfter(bytes: number, directory: string): string {
  const file = join(directory, 'log');
  return orElse('', () => readFileSync(file).subarray(bytes).toString());
}

export function sizeOfLog(directory: string): number {
  return orElse(0, () => statSync(join(directory, 'log')).size);
}

/** If the read fails, returns `otherwise`: this failure must not hide the failure that is being explained. */
function orElse<Result>(otherwise: Result, read: () => Result): Result {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
