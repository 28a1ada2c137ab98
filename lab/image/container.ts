/**
 * Runs programs in the file system of an image as a container does, with the process id 1, for which the kernel handles
 * signals differently.
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
  output(): string;
  /** Resolves with the rest of the first line that begins with this word. */
  line(word: string): Promise<string>;
  memory(): number;
  stop(): Promise<Ended>;
  ended: Promise<Ended>;
}

/** Like every container, this container has `/proc` and a few devices. It has no writable `/tmp`. */
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

export function run(image: Image, env: Readonly<Record<string, string>>, command?: string[]): Promise<Ended> {
  return start(image, env, command).ended;
}

async function lineIn(output: () => string, word: string): Promise<string> {
  // The last line of the output may be incomplete.
  const lines = () => output().split('\n').slice(0, -1);
  const found = await eventually(
    () => lines().find((line) => line.startsWith(word)),
    (line) => line !== undefined,
  );
  return (found ?? '').slice(word.length).trim();
}

/** Signals must be sent directly to the first process of the container, because `unshare` forwards no signals. */
function firstProcess({ pid }: ChildProcess): number {
  const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  if (!first) throw new Error('The container runs no process.');
  return Number(first);
}
