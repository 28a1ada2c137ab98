import type { OpenTerminal, Transcript } from './transcript.ts';

const removal = `curl -s -X DELETE http://localhost:3000/api/v1/merchant-webhooks/$ENDPOINT -H "Authorization: Bearer $KEY"`;

const rotation = `curl -s http://localhost:3000/api/v1/merchant-webhooks/$ENDPOINT/rotate-secret \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d "{\\"secret\\": \\"$SECOND\\"}" | node -p 'JSON.parse(fs.readFileSync(0))'`;

const post = (path: string, body: object, header = 'Authorization: Bearer $KEY') =>
  `curl -s http://localhost:3000/api/v1${path} -H "${header}" \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' \\\n  | node -p 'JSON.parse(fs.readFileSync(0))'`;

export async function travelInTime(hour: Transcript): Promise<void> {
  hour.chapter('Three retries, an expiry, a transfer and a rotation, in a minute');
  hour.say('advance brings every deadline of test mode nearer, and what is then due happens. No clock is changed.');
  await retryThreeTimes(hour);
  await expireCheckout(hour);
  await settleTransfer(hour);
  await rotateSecret(hour);
  hour.say('The endpoint is removed, so that the rest of the hour has one receiver at a time.');
  await hour.run(removal);
}

async function retryThreeTimes(hour: Transcript): Promise<void> {
  hour.say(
    'A receiver that fails three times gets the webhook again after about a minute, a quarter of an hour and two hours.',
  );
  const receiver = await openReceiver(hour, 'npm run receiver -- --fail 3');
  await hour.run('npm run trigger -- checkout.success --reference order-3');
  await receiver.shows(/attempt 1/);
  for (const [index, time] of ['75s', '20m', '3h'].entries()) {
    await hour.run(`npm run advance -- ${time}`);
    await receiver.shows(new RegExp(`attempt ${index + 2} `));
  }
  const listed = await hour.run('npm run deliveries -- --reference order-3');
  const [id = ''] = /[0-9a-f]{8}-\S+/.exec(listed) ?? [];
  await hour.run(`npm run deliveries -- ${id}`);
  await receiver.interrupt();
}

async function expireCheckout(hour: Transcript): Promise<void> {
  hour.say('A checkout that is not paid expires after a day.');
  const receiver = await openReceiver(hour, 'npm run receiver');
  await hour.run(
    post('/payments/checkout', { email: 'ada@example.com', amount: 500_000, reference: 'order-4' }, 'x-api-key: $KEY'),
  );
  await hour.run('npm run advance -- 24h');
  await receiver.shows(/checkout\.expired/);
  await receiver.interrupt();
}

async function settleTransfer(hour: Transcript): Promise<void> {
  hour.say('The bank of account 0000000002 answers after half a minute.');
  const receiver = await openReceiver(hour, 'npm run receiver');
  const recipient = { name: 'Grace Hopper', accountNumber: '0000000002', bankCode: '058' };
  await hour.run(post('/transfers', { amount: 1000, reference: 'payout-1', recipient }));
  await hour.run('npm run advance -- 30s');
  await receiver.shows(/transfer\.success/);
  await receiver.interrupt();
}

async function rotateSecret(hour: Transcript): Promise<void> {
  hour.say(
    'A second secret is staged. For a day both sign, then the first one signs along for a day, then it has ended. The receiver, which knows only the second one, verifies all the time.',
  );
  await hour.assign('SECOND', `node -p '"whsec_" + crypto.randomBytes(24).toString("base64")'`);
  const receiver = await openReceiver(hour, 'WEBHOOK_SECRET=$SECOND npm run receiver');
  await hour.run('npm run trigger -- test.event');
  await receiver.shows(/refused/);
  await hour.run(rotation);
  await hour.run('npm run trigger -- test.event');
  await receiver.shows(/verified/);
  await hour.run('npm run advance -- 24h');
  await hour.run('npm run advance -- 24h');
  await hour.run('npm run trigger -- test.event');
  await receiver.shows(/verified/);
  await receiver.interrupt();
}

function openReceiver(hour: Transcript, command: string): Promise<OpenTerminal> {
  return hour.open('receiver', command, { ready: /It verifies/ });
}
