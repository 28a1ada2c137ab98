import test from 'ava';
import { balancerConfiguration, isFailure } from './balancer.ts';

test('the configuration of HAProxy in compose.yaml is rewritten to addresses of this machine', (t) => {
  const configuration = balancerConfiguration('127.0.0.1:1000', [1001, 1002]);

  t.regex(configuration, /^ {2}bind 127\.0\.0\.1:1000$/m);
  for (const backend of ['api', 'not-ready']) {
    const [, lines = ''] = configuration.split(`\nbackend ${backend}\n`);
    t.regex(lines, /^(?: .*\n)* {2}server api-1 127\.0\.0\.1:1001\n {2}server api-2 127\.0\.0\.1:1002\n/, backend);
  }
  t.notRegex(configuration, /docker|server-template|:8080/);
});

test('a log line of HAProxy is a failure if its call got a status of 500 or higher, or no response', (t) => {
  const line = (status: number) => `127.0.0.1:49152 api/api-2 0/0/0/4/4 ${status} 512 POST`;

  t.is(isFailure(line(201)), false);
  t.is(isFailure(line(404)), false);
  t.is(isFailure(line(500)), true);
  t.is(isFailure(line(503)), true);
  t.is(isFailure(line(-1)), true);
  t.is(isFailure('127.0.0.1:49152 public/<NOSRV> 0/-1/-1/-1/0 503 217 GET'), true);
  t.is(isFailure('Server api/api-1 is DOWN, reason: Layer4 connection problem.'), null);
});
