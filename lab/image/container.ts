/**
 * Runs programs in the file system of an image as a container does. The root is read-only. The program has the account
 * and the environment of the image, and the process id 1, for which the kernel handles signals differently. The
 * program uses the network of this machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { eventually } from '@tillhook/test/support/eventually.ts';
import { residentMiB } from '../support/memory.ts';
import type { Image } from './buildah.ts';

export interface Ended {
  code: number | null;
  output: string;
}

export interface Container {
  /** Returns the output of the program so far, from both streams. */
  output(): string;
  /** Resolves with the rest of the first line that begins with this word. */
  line(word: string): Promise<string>;
  /** Returns the current memory of the first process of the container, in MiB. */
  memory(): number;
  /** Sends SIGTERM, as `docker stop` does, and resolves when the program has ended. */
  stop(): Promise<Ended>;
  ended: Promise<Ended>;
}

/**
 * The script that prepares a container. Besides the image, the container has only `/proc` and a few devices, like
 * every container. It has no writable `/tmp`.
 */
const enter = `
set -e
root=$1; account=$2; folder=$3; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -o remount,bind,ro "$root"
exec chroot --userspec="$account" --groups= "$root" /usr/bin/env -i -C "$folder" "$@"
`;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  // With `--kill-child`, the container ends when `unshare` is killed.
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a command in a container. The default is the image's own command. */
export function start({ config, root }: Image, env: Readonly<Record<string, string>>, command = config.Cmd): Container {
  const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const own = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
  const place = ['sh', '-c', enter, 'enter', root, config.User, config.WorkingDir];
  const child = spawn('unshare', [...own, ...place, ...variables, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  const failed = ended.then(({ code }) => Promise.reject(new Error(`The container ended with ${code}:\n${output}`)));
  failed.catch(() => {});
  return {
    output: () => output,
    line: (word) => Promise.race([lineIn(() => output, word), failed]),
    memory: () => Math.round(residentMiB(firstProcess(child))),
    stop() {
      process.kill(firstProcess(child), 'SIGTERM');
      return ended;
    },
    ended,
  };
}

/** Runs a command in a container until the command ends. */
export function run(image: Image, env: Readonly<Record<string, string>>, command?: string[]): Promise<Ended> {
  return start(image, env, command).ended;
}

async function lineIn(output: () => string, word: string): Promise<string> {
  // The last element may be an incomplete line.
  const lines = () => output().split('\n').slice(0, -1);
  const found = await eventually(
    () => lines().find((line) => line.startsWith(word)),
    (line) => line !== undefined,
  );
  return (found ?? '').slice(word.length).trim();
}

/**
 * Returns the id of the process that has the id 1 in the container. Signals must be sent directly to this process,
 * because `unshare` forwards no signals.
 */
function firstProcess({ pid }: ChildProcess): number {
  const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  if (!first) throw new Error('The container runs no process.');
  return Number(first);
}
