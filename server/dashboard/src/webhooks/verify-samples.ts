import { go } from './samples/go.ts';
import { java } from './samples/java.ts';
import { node } from './samples/node.ts';
import { php } from './samples/php.ts';
import { python } from './samples/python.ts';
import { ruby } from './samples/ruby.ts';

/**
 * Receivers that verify `webhook-signature`, for one endpoint's address. Choice: a small set of our own, because the
 * guide of the docs has Node and parts of two more languages, and none with an address. All but Node's do without a
 * library, so that the code shows all that there is to do. Each was run against what the SDK signs, with both secrets
 * of a rotation, a wrong one, a changed body and an old time; `test/unit/verify-samples.test.ts` runs Node's, whose
 * program is always there. After a change of another one, run it.
 */
export interface Sample {
  name: string;
  /** What is needed to run it, in a sentence. */
  needs: string;
  code: string;
}

export function verifySamples(url: string): Sample[] {
  const { path, port } = routeOf(url);
  return [
    { name: 'Node', needs: 'Needs @tillhook/sdk and express.', code: node(path, port) },
    { name: 'Python', needs: 'Needs Flask, and nothing else beside Python 3.9.', code: python(path, port) },
    { name: 'PHP', needs: `Needs PHP 8 and nothing else. The file that answers ${path}.`, code: php() },
    { name: 'Go', needs: 'Needs nothing but Go’s own library.', code: go(path, port) },
    { name: 'Ruby', needs: 'Needs sinatra, rackup and puma.', code: ruby(path, port) },
    { name: 'Java', needs: 'Needs nothing but Java 17.', code: java(path, port) },
  ];
}

/**
 * Behind a proxy, a receiver listens on another port than that of its address. On this machine it listens on the port
 * of the address.
 */
function routeOf(url: string): { path: string; port: number } {
  const { pathname, port, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname.startsWith('127.');
  // Another path would need different quoting in each language.
  const path = /^[\w./~-]+$/.test(pathname) ? pathname : '/webhooks';
  return { path, port: isLocal && port !== '' ? Number(port) : 4000 };
}
