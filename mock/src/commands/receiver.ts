/** `npm run receiver`, and `tillhook-receiver` where the package is installed: takes webhooks until Ctrl-C. */
import { parseArgs } from 'node:util';
import { readPort, runCommand } from '../command.ts';
import { describeDelivery } from '../delivery-lines.ts';
import { startReceiver } from '../receiver.ts';

const usage = `Usage: npm run receiver -- [--secret <whsec_...>]...

Takes webhooks as a merchant's program does, prints each of them, and runs until Ctrl-C.

  --secret <secret>  the signing secret of an endpoint, to verify its webhooks; may be given several times
  -h, --help         print this

Variables: RECEIVER_PORT (4000 when not set), WEBHOOK_SECRET (one more secret).`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      secret: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const secrets = [...values.secret, process.env.WEBHOOK_SECRET ?? ''].filter((secret) => secret !== '');
  const port = readPort('RECEIVER_PORT', process.env.RECEIVER_PORT, 4000);
  const receiver = await startReceiver({
    port,
    secrets,
    onEvent: (delivery) => console.log(describeDelivery(delivery)),
    onSecret: console.log,
  });
  console.log(greeting(receiver.url, secrets.length));
  return receiver;
});

function greeting(url: string, secretCount: number): string {
  const heading = `The receiver that stands in for a merchant: ${url}`;
  if (secretCount > 0)
    return `${heading}\nIt verifies webhooks with the given ${secretCount === 1 ? 'secret' : 'secrets'}.\n`;
  return `${heading}

It knows no secret yet, so it shows events as unverified. Register its address and send it the answer:
  curl -s http://localhost:3000/api/v1/merchant-webhooks -H "Authorization: Bearer $API_KEY" \\
    -H 'Content-Type: application/json' -d '{"url":"${url}"}' | curl -s ${new URL('/secrets', url)} -d @-
`;
}
