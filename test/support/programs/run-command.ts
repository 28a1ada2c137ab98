import { spawn } from 'node:child_process';

export type Command = readonly [program: string, ...args: string[]];

interface Surroundings {
  cwd: string;
  variables?: Readonly<Record<string, string>>;
}

export function runCommand([program, ...args]: Command, { cwd, variables = {} }: Surroundings): Promise<void> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...variables } });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(' ')}\n${output.join('').slice(-3000)}`));
    });
  });
}
