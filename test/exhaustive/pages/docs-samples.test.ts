/** Tests that every program of the reference runs in each language, and sends what the contract says. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { callSamples } from '@tillhook/docs/src/call-samples.ts';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import test, { type ExecutionContext } from 'ava';
import { languages } from '../../../docs/quick-start/languages.ts';
import { folderFor, onLanguage, runToEnd } from '../../support/quick-start/quick-start.ts';

const { model } = readContract();

/** A start of a program takes longer than its request, so all programs of a language run in one process. */
interface Runner {
  file: (name: string) => string;
  /** Changes a program so that it can stand beside the others. */
  adapt?: (code: string, name: string) => string;
  whole: (names: readonly string[]) => Record<string, string>;
  commands: readonly string[][];
}

const runners: Record<string, Runner> = {
  Python: {
    file: (name) => `${name}.py`,
    whole: (names) => ({ 'all.py': names.map((name) => `import ${name}\n`).join('') }),
    commands: [['python3', 'all.py']],
  },
  Go: {
    file: (name) => `${name}.go`,
    adapt: (code, name) => code.replace('func main()', `func ${name}()`),
    whole: (names) => ({
      'go.mod': 'module samples\n\ngo 1.22\n',
      'all.go': `package main\n\nfunc main() {\n${names.map((name) => `\t${name}()\n`).join('')}}\n`,
    }),
    commands: [
      ['go', 'vet', '.'],
      ['go', 'run', '.'],
    ],
  },
  Java: {
    file: (name) => `${name}.java`,
    adapt: (code, name) => code.replace('public class Call ', `public class ${name} `),
    whole: (names) => ({
      'All.java': `public class All {
  public static void main(String[] arguments) throws Exception {
${names.map((name) => `    ${name}.main(arguments);\n`).join('')}  }
}
`,
    }),
    commands: [
      ['javac', '-encoding', 'US-ASCII', '-Werror', 'All.java'],
      ['java', 'All'],
    ],
  },
  PHP: {
    file: (name) => `${name}.php`,
    whole: (names) => ({ 'all.php': `<?php\n${names.map((name) => `require '${name}.php';\n`).join('')}` }),
    commands: [['php', '-d', 'error_reporting=-1', 'all.php']],
  },
  Ruby: {
    file: (name) => `${name}.rb`,
    whole: (names) => ({ 'all.rb': names.map((name) => `require_relative '${name}'\n`).join('') }),
    commands: [['ruby', 'all.rb']],
  },
};

for (const { name, fence } of languages.filter((language) => language.name !== 'TypeScript')) {
  onLanguage(name)(
    `each program in ${name} sends the method, the path, the credential and the body of its operation`,
    async (t) => {
      t.timeout(300_000);
      const { received, url } = await startRecorder(t);
      const { file, adapt = (code) => code, whole, commands } = runners[name] as Runner;
      const folder = folderFor(t);
      const names = model.operations.map((_operation, index) => `call${index}`);
      for (const [index, operation] of model.operations.entries()) {
        const program = names[index] ?? '';
        const code = programIn(callSamples(model, operation, url), `${fence} ${name}`);
        writeFileSync(join(folder, file(program)), `${adapt(code, program)}\n`);
      }
      for (const [path, text] of Object.entries(whole(names))) writeFileSync(join(folder, path), text);

      for (const command of commands) {
        const { status, stdout, stderr } = await runToEnd(command, folder, { KEY: 'sk_test_a', SESSION: 'abc' });
        t.is(status, 0, `${stdout}\n${stderr}`);
        t.is(stderr, '');
      }

      t.deepEqual(received, model.operations.map(expected));
    },
  );
}

interface Received {
  call: string;
  credentials: (string | undefined)[];
  body: unknown;
}

async function startRecorder(t: ExecutionContext): Promise<{ received: Received[]; url: string }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = headers['content-type'] === 'application/json' ? await json(request) : null;
    const credentials = [headers.authorization, headers['x-api-key'], headers.cookie].map((one) => one?.toString());
    received.push({ call: `${method} ${url}`, credentials, body });
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function programIn(samples: string, info: string): string {
  return new RegExp(`^\`\`\`${info}\n(.*?)\n^\`\`\`$`, 'ms').exec(samples)?.[1] ?? '';
}

function expected(operation: ModelOperation): Received {
  const { method, path, parameters, body, security } = operation;
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const schemes = security[0] ?? [];
  const credentials = [
    schemes.includes('bearerAuth') ? 'Bearer sk_test_a' : undefined,
    schemes.includes('apiKeyHeader') ? 'sk_test_a' : undefined,
    schemes.includes('dashboardSession') ? 'tillhook_session=abc' : undefined,
  ];
  const [example] = body?.examples.values() ?? [];
  return { call: `${method.toUpperCase()} ${filled}`, credentials, body: example?.value ?? null };
}

test('an operation has its call for curl, and then for each language of the dashboard in the same order', (t) => {
  const createTransfer = model.operationById.get('createTransfer') as ModelOperation;
  const text = callSamples(model, createTransfer, 'https://pay.example.com');

  t.deepEqual(
    [...text.matchAll(/^```\w+ (\w+)$/gm)].map(([, name]) => name),
    ['curl', ...languages.map(({ name }) => name)],
  );
});
