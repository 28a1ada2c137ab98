/**
 * Attackers have used these notations of loopback and private addresses against other senders of webhooks. A test
 * replaces `PORT` by the port of a listener on loopback, which detects connections.
 */
export const refusedAddresses: Record<string, readonly string[]> = {
  loopback: hosts('127.0.0.1', '127.0.0.2', '127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]'),
  'this machine': hosts('0', '0.0.0.0', '0.0.0.1', '00', '0x0', '[::]', '[0:0:0:0:0:0:0:0]'),
  'its names': hosts('localhost', 'LOCALHOST', 'localhost.', 'loc%61lhost', 'ｌocalhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ'),
  'private networks': hosts('10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '198.18.0.1'),
  'cloud metadata': hosts('169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'),
  'cloud metadata over IPv6': hosts('[fd00:ec2::254]', '[fd20:ce::254]', '[::ffff:a9fe:a9fe]'),
  'no single receiver': hosts('224.0.0.1', '239.255.255.250', '255.255.255.255', '240.0.0.1', '[ff02::1]', '[ff0e::1]'),
  'documentation and tests': hosts(
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
  ),
  'one number': hosts('2130706433', '0x7f000001', '0X7F000001', '017700000001', '4294967295', '2852039166'),
  'fewer numbers': hosts('127.1', '127.0.1', '10.1', '169.254.43518', '0x7f.1', '0177.1', '192.168.257'),
  'octal and hexadecimal': hosts('0177.0.0.1', '0x7f.0x0.0x0.0x1', '00000177.00.0x0.1', '0xA9.0xFE.0251.0376'),
  'a dot at the end': hosts('127.0.0.1.', '2130706433.', '0x7f.1.', '10.0.0.1.'),
  'other digits and dots': hosts(
    '①②⑦.⓪.⓪.①',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  ),
  'invisible characters': hosts('127.0.0\u00ad.1', '127.0\u200b.0.1', '127.0.\u2060 0.1', '127.0.0.1\ufeff'),
  'IPv4 in IPv6': hosts('[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:10.0.0.1]', '[::FFFF:192.168.0.1]'),
  'IPv4 in IPv6, in older ways': hosts('[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]', '[::a9fe:a9fe]'),
  'translated and tunnelled': [
    ...hosts(
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b::a9fe:a9fe]',
      '[64:ff9b:1::a00:1]',
      '[2002:7f00:1::]',
      '[2002:a9fe:a9fe::]',
    ),
    ...hosts('[2001::1]', '[2001:0:7f00:1::]', '[2001:10::1]', '[5f00::1]', '192.88.99.1'),
  ],
  'local IPv6': hosts(
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fdff:ffff::1]',
    '[fe80::1%25lo]',
    '[::1%lo]',
  ),
  'another host before the @': [
    'http://8.8.8.8@127.0.0.1:PORT/',
    'http://example.com:80@127.0.0.1:PORT/',
    'http://@[::1]:PORT/',
  ],
  'another host behind it': [
    'http://127.0.0.1:PORT#@example.com/',
    'http://127.0.0.1:PORT?@example.com/',
    'http://127.0.0.1:PORT\\@example.com/',
    'http://127.0.0.1:PORT/@example.com/',
  ],
  slashes: [
    'http:127.0.0.1:PORT/',
    'http:/127.0.0.1:PORT/',
    'http:///127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
    '//127.0.0.1:PORT/',
  ],
  'white space': [
    ' http://127.0.0.1:PORT/ ',
    'ht\ttp://127.0.0.1:PORT/',
    'http://127.\n0.0.1:PORT/',
    'http://127.0.0.1\r\n:PORT/',
    'http://127.0.0.1 :PORT/',
    'http://127.0.0.1\0:PORT/',
  ],
  'percent signs': hosts('%31%32%37.0.0.1', '127%2e0%2e0%2e1', '%5B::1%5D', '127.0.0.1%00', '%25%33%31%32%37.0.0.1'),
  ports: ['http://127.0.0.1:0PORT/', 'http://127.0.0.1:/', 'http://127.0.0.1:99999/', 'http://127.0.0.1:-1/'],
  'other schemes': [
    'HTTP://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'ftp://127.0.0.1:PORT/',
    'gopher://127.0.0.1:PORT/_',
    'dict://127.0.0.1:PORT/',
    'ws://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'unix:/var/run/docker.sock',
    'data:text/plain,127.0.0.1',
  ],
};

function hosts(...names: string[]): string[] {
  return names.map((name) => `http://${name}:PORT/`);
}
