import type { OpenTerminal, Transcript } from './transcript.ts';

/** Log lines that the transcript leaves out, because the number of GET requests differs between runs. */
export const readingCalls = / GET +\S+ /;

export async function startService(hour: Transcript): Promise<OpenTerminal> {
  hour.chapter('The service starts');
  hour.say('One command in a clone of the repository, with Node and npm and nothing else on the machine.');
  const service = await hour.open('service', 'npm start', { ready: /npm run receiver .*\n/, without: readingCalls });
  const [, key = ''] = /Test key +(\S+)/.exec(service.output()) ?? [];
  hour.set('KEY', key);
  hour.set('TILLHOOK_API_KEY', key);
  return service;
}

export async function followEvents(hour: Transcript, service: OpenTerminal): Promise<void> {
  hour.chapter('Events, as they happen');
  hour.say(
    'In other terminals. The key is the one that the service printed, and the secret is the one that listen prints.',
  );
  hour.note('$ export KEY=sk_test_… TILLHOOK_API_KEY=sk_test_…');
  const listen = await hour.open('listen', 'npm run listen -- --forward-to localhost:4000/webhooks', {
    ready: /Listening/,
  });
  const [, secret = ''] = /(whsec_\S+)/.exec(listen.output()) ?? [];
  const receiver = await hour.open('receiver', `npm run receiver -- --secret ${secret}`, { ready: /It verifies/ });
  await hour.run('npm run trigger -- checkout.success --reference order-1');
  await listen.shows(/checkout\.success +200/);
  await receiver.shows(/verified/);

  hour.say('Every event of the contract has a trigger.');
  for (const event of [
    'checkout.failed',
    'checkout.expired',
    'transfer.success',
    'transfer.failed',
    'refund.success',
  ]) {
    await hour.run(`npm run trigger -- ${event} --reference ${event.replace('.', '-')}-1`);
    await listen.shows(new RegExp(`${event} +200`));
  }
  await listen.interrupt();
  await receiver.shows(/✓ verified {2}refund\.success/);
  await receiver.interrupt();
  hour.say('The log of the service, without the reading calls:');
  service.look();
}

export async function registerEndpoint(hour: Transcript, service: OpenTerminal): Promise<void> {
  hour.chapter('An endpoint, and its deliveries');
  hour.say('The answer to the registration has the secret, which no file needs.');
  await hour.assign('ANSWER', registration);
  await hour.assign('ENDPOINT', "node -p 'JSON.parse(process.env.ANSWER).id'");
  await hour.assign('WEBHOOK_SECRET', "node -p 'JSON.parse(process.env.ANSWER).secret'");
  const receiver = await hour.open('receiver', 'npm run receiver', { ready: /It verifies/ });
  await hour.run('npm run trigger -- test.event');
  await receiver.shows(/verified/);
  await hour.run('npm run trigger -- checkout.success --reference order-2');
  await receiver.shows(/order-2/);
  await service.shows(/order-2\/complete[\s\S]*✓ checkout\.success|✓ checkout\.success[\s\S]*order-2\/complete/);
  await hour.run('npm run events -- --limit 3');
  await hour.run('npm run deliveries');
  await receiver.interrupt();
}

const registration = `curl -s http://localhost:3000/api/v1/merchant-webhooks -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"url": "http://localhost:4000/webhooks"}'`;
