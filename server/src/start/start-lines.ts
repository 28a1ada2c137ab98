/**
 * Scripts get fixed lines, each as soon as it is true. A person at a terminal gets one banner, which is the last
 * output.
 * See docs/decisions/process.md, "A terminal gets lines for people, everything else gets fixed lines and JSON".
 */
import type { Config } from '../config/config.ts';
import { isLoopbackName } from '../kit/loopback.ts';
import { receiverCommand } from '../kit/receiver-command.ts';
import { type Colours, coloursFor } from '../kit/terminal.ts';
import type { Tillhook } from './tillhook.ts';

export interface StartLines {
  begins(config: Config): void;
  step: ((text: string) => void) | undefined;
  serves(tillhook: Tillhook): Promise<void>;
  isReady(tillhook: Tillhook): Promise<void>;
  stopsEarly(tillhook: Tillhook): Promise<void>;
}

export function startLinesFor(out: NodeJS.WriteStream): StartLines {
  return out.isTTY ? linesForPeople(out) : fixedLines(out);
}

function fixedLines(out: NodeJS.WritableStream): StartLines {
  const print = (line: string) => out.write(`${line}\n`);
  return {
    begins() {},
    step: undefined,
    async serves(tillhook) {
      const { url, metricsUrl, demo, context } = tillhook;
      // A worker also prints this line, because scripts read the URL of its probes from it.
      print(`api ${url}`);
      if (context.config.role !== 'worker') {
        print(`dashboard ${url}/dashboard`);
        print(`docs ${url}/docs`);
        if (hasMailbox(tillhook)) print(`mails ${url}/mails`);
      }
      if (metricsUrl) print(`metrics ${metricsUrl}`);
      if (demo) {
        print(`test key ${demo.testKey}`);
        print(`sign in ${demo.email} ${demo.password}`);
      } else if (tillhook.isDemo) {
        print('Keys and passwords are stored hashed. For new ones:');
        for (const command of await newCredentials(tillhook)) print(`  ${command}`);
      }
    },
    // Scripts wait for this line.
    async isReady() {
      print('ready');
    },
    async stopsEarly() {},
  };
}

function linesForPeople(out: NodeJS.WriteStream): StartLines {
  const coloursOf = ({ context: { config } }: Tillhook) => coloursFor(out, config.colourVariables);
  return {
    begins: ({ databaseUrl, dataDir }) => {
      const database = databaseUrl === undefined ? `its own Postgres in ${dataDir}` : 'the database of DATABASE_URL';
      out.write(`Tillhook starts, with ${database}.\n`);
    },
    step: (text) => out.write(`  ${text} …\n`),
    async serves() {},
    async isReady(tillhook) {
      out.write(await banner(tillhook, 'Tillhook is ready.', coloursOf(tillhook)));
    },
    // The key and the password of the demo merchant can be shown only once, so they are printed in any case.
    async stopsEarly(tillhook) {
      if (tillhook.demo) out.write(await banner(tillhook, 'Tillhook stops before it was ready.', coloursOf(tillhook)));
    },
  };
}

type Row = [label: string, value: string];

async function banner(tillhook: Tillhook, heading: string, colours: Colours): Promise<string> {
  const groups = [addresses(tillhook), await credentials(tillhook), nextSteps(tillhook)].filter(
    ({ length }) => length > 0,
  );
  const width = Math.max(...groups.flat().map(([label]) => label.length));
  const lines = groups.map((rows) =>
    rows.map(([label, value]) => `  ${colours.dim(label.padEnd(width))}  ${value}\n`).join(''),
  );
  return `\n${colours.bold(heading)}\n\n${lines.join('\n')}\n`;
}

function addresses(tillhook: Tillhook): Row[] {
  const { url, metricsUrl, context } = tillhook;
  const metrics: Row[] = metricsUrl ? [['Metrics', metricsUrl]] : [];
  if (context.config.role === 'worker') return [['Probes', `${url}/readyz`], ...metrics];
  return [
    ['Home', `${url}/`],
    ['Dashboard', `${url}/dashboard`],
    ['Docs', `${url}/docs`],
    ['API', `${url}/api/v1`],
    ...(hasMailbox(tillhook) ? [['Mails', `${url}/mails`] satisfies Row] : []),
    ...metrics,
  ];
}

/** False if a browser that opens the URL of the service could not read the mailbox. */
function hasMailbox({ url, context: { config } }: Tillhook): boolean {
  return config.mail?.url === null && isLoopbackName(config.host) && isLoopbackName(new URL(url).hostname);
}

async function credentials(tillhook: Tillhook): Promise<Row[]> {
  const { demo, isDemo } = tillhook;
  if (demo) {
    return [
      ['Test key', demo.testKey],
      ['Sign in', demo.email],
      ['Password', `${demo.password}   (key and password are shown only this once)`],
    ];
  }
  if (!isDemo) return [];
  const [newKey = '', ...newPasswords] = await newCredentials(tillhook);
  return [['New key', newKey], ...newPasswords.map((command): Row => ['New password', command])];
}

async function newCredentials({ emails }: Tillhook): Promise<string[]> {
  const passwords = (await emails()).map((email) => `npx tillhook users reset-password --email ${email}`);
  return ['npx tillhook keys create --mode test', ...passwords];
}

function nextSteps({ isDemo, url, context }: Tillhook): Row[] {
  if (!isDemo || context.config.role === 'worker') return [['Commands', 'npx tillhook --help']];
  return [
    ['Next', 'open Home and pay a test checkout; in a second terminal, a receiver of webhooks:'],
    ['', receiverCommand(url)],
  ];
}
