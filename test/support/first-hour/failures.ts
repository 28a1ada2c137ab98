import { readingCalls } from './first-events.ts';
import type { OpenTerminal, Transcript } from './transcript.ts';

const listening = 'npm run listen -- --forward-to localhost:4000/webhooks';

const pay = (reference: string) => `npm run trigger -- checkout.success --reference ${reference}`;

interface Meeting {
  reference: string;
  shown: RegExp;
}

const openListen = (hour: Transcript, options = '') =>
  hour.open('listen', `${listening}${options}`, { ready: /Listening/ });

export async function misuseKeys(hour: Transcript): Promise<void> {
  hour.chapter('A wrong key, a live key, a wrong address');
  await hour.run('TILLHOOK_API_KEY= npm run events');
  await hour.run('TILLHOOK_API_KEY=sk_test_wrong npm run events');
  await hour.run('TILLHOOK_API_KEY=sk_live_any npm run trigger -- checkout.success');
  await hour.run('TILLHOOK_API_KEY=sk_live_any npm run listen');
  await hour.run('npm run events -- --base-url http://localhost:4001');
  await hour.run('npm run advance -- soon');
  await hour.run('npm run trigger -- checkout.paid');
}

/** Returns the restarted service. */
export async function restartService(hour: Transcript, service: OpenTerminal): Promise<OpenTerminal> {
  hour.chapter('The service is killed and starts again');
  hour.say('listen goes on after its last event. Nothing is lost, and nothing comes twice.');
  const receiver = await hour.open('receiver', 'npm run receiver', { ready: /It verifies/ });
  const listen = await hour.open('listen', `${listening} --secret "$WEBHOOK_SECRET"`, { ready: /Listening/ });
  await service.kill();
  hour.note('[service] kill -9');
  await listen.shows(/no event is lost/);
  const again = await hour.open('service', 'npm start', { ready: /npm run receiver .*\n/, without: readingCalls });
  await hour.run(pay('order-5'));
  await listen.shows(/order-5/);
  await listen.interrupt();
  await receiver.interrupt();
  return again;
}

export async function meetBadReceivers(hour: Transcript): Promise<void> {
  hour.chapter('A receiver that is down, fails, is slow, is gone, or hangs');
  await meetNoReceiver(hour);
  await meetReceiver(hour, '--status 500', { reference: 'order-7', shown: /Again/ });
  await meetReceiver(hour, '--slow 2s', { reference: 'order-8', shown: /order-8/ });
  await meetReceiver(hour, '--status 410', { reference: 'order-9', shown: /Again/ });
  await meetHangingReceiver(hour);
}

async function meetNoReceiver(hour: Transcript): Promise<void> {
  const listen = await openListen(hour, ' --secret "$WEBHOOK_SECRET"');
  await hour.run(pay('order-6'));
  await listen.shows(/Again: .*\n/);
  const [, again = ''] = /Again: (.*)\n/.exec(listen.output()) ?? [];
  await listen.interrupt();
  hour.say('The receiver is started, and the last line is typed.');
  const receiver = await hour.open('receiver', 'npm run receiver', { ready: /It verifies/ });
  await hour.run(again);
  await receiver.shows(/verified/);
  await receiver.interrupt();
}

async function meetReceiver(hour: Transcript, options: string, { reference, shown }: Meeting): Promise<void> {
  const receiver = await hour.open('receiver', `npm run receiver -- ${options}`, { ready: /It verifies/ });
  const listen = await openListen(hour);
  await hour.run(pay(reference));
  await listen.shows(shown);
  await listen.interrupt();
  await receiver.end();
}

async function meetHangingReceiver(hour: Transcript): Promise<void> {
  hour.say('It answers after a minute, which is too late. Ctrl-C does not wait for it.');
  const receiver = await hour.open('receiver', 'npm run receiver -- --slow 1m', { ready: /It verifies/ });
  const listen = await openListen(hour);
  await hour.run(pay('order-10'));
  await listen.shows(/timeout[\s\S]*within/);
  await listen.interrupt();
  await receiver.end();
}

export async function listenInOtherWays(hour: Transcript): Promise<void> {
  hour.chapter('Two listeners, a narrow terminal, a pipe, JSON for scripts');
  const first = await hour.open('first', 'npm run listen', { ready: /Listening/ });
  const second = await hour.open('second', 'npm run listen -- --events refund.success', { ready: /Listening/ });
  const narrow = await hour.open('40 columns', 'npm run listen', { ready: /Listening/, columns: 40 });
  await hour.run('npm run trigger -- refund.success --reference refund-2');
  for (const terminal of [first, second, narrow]) await terminal.shows(/refund\.success/);
  for (const terminal of [first, second, narrow]) await terminal.interrupt();
  await hour.run('npm run events -- --limit 2', { columns: 40 });
  await hour.run('npm run events -- --json --limit 1');
  await hour.run('npm run events | head -n 1');
}

export interface Behind {
  env: Readonly<Record<string, string>>;
  count: number;
}

export async function catchUp(hour: Transcript, { env, count }: Behind): Promise<void> {
  hour.chapter(`${count.toLocaleString('en')} events behind`);
  hour.say('The lines of order-4 and all that follow are left out, but for the last.');
  const listen = await hour.open('listen', 'npm run listen -- --since 1h', {
    ready: new RegExp(`order-${count}\\b.*\\n`),
    without: new RegExp(`order-(?!(?:1|2|3|${count})\\b)`),
    env,
  });
  await listen.interrupt();
}
