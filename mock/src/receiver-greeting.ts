/**
 * What the receiver prints when it has started. Its commands are those of the README, and a test compares the two.
 */
export interface Addresses {
  /** The address of the receiver, which ends in `/webhooks`. */
  receiver: string;
  /** The address of the service or the mock. */
  service: string;
}

/** Registers the receiver at the service, and gives it the signing secret of the answer. No file gets the secret. */
export function registerCommand({ receiver, service }: Addresses): string {
  return `curl -s ${service}/api/v1/merchant-webhooks -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"url": "${receiver}"}' \\
  | curl -s ${new URL('/secrets', receiver)} -d @-`;
}

interface Greeting extends Pick<Addresses, 'service'> {
  secretCount: number;
  rule: string;
}

export function receiverGreeting(url: string, { service, secretCount, rule }: Greeting): string {
  // As the README names this machine.
  const receiver = url.replace('//127.0.0.1:', '//localhost:');
  const heading = `The receiver that stands in for a merchant: ${url}\n${rule}`;
  if (secretCount > 0) {
    return `${heading}\nIt verifies webhooks with the given ${secretCount === 1 ? 'secret' : 'secrets'}.\n`;
  }
  return `${heading}

It knows no secret yet, so it shows events as unverified. Register its address, and give it the secret of the answer.
KEY is the test key that \`npm start\` prints; at the mock, http://localhost:4010, it is sk_test_mock:

${registerCommand({ receiver, service })}
`;
}
