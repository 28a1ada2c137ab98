import type { DeliveryAttempt } from '@tillhook/sdk/session';
import { readable } from '../kit/status-words.ts';

export interface Advice {
  what: string;
  /** What the merchant can do; null when the attempt succeeded. */
  todo: string | null;
  /** An additional sentence, such as "Send it again.", for a delivery that can be sent again. */
  again?: string;
}

type Outcome = Pick<DeliveryAttempt, 'statusCode' | 'error'> &
  Partial<Pick<DeliveryAttempt, 'errorDetail' | 'responseHeaders'>>;

export function adviceOn(outcome: Outcome): Advice {
  const { statusCode, error } = outcome;
  if (error !== null) return adviceOnError(error, outcome);
  if (statusCode === null) return { what: 'No response was recorded.', todo: null, again: 'Resend it.' };
  if (statusCode >= 200 && statusCode < 300) return { what: `The receiver accepted it: ${statusCode}.`, todo: null };
  return byStatus[statusCode]?.(outcome) ?? adviceOnStatus(statusCode);
}

const errors: Record<string, Advice> = {
  address_refused: {
    what: 'The address is in a private network, where nothing is sent.',
    todo: 'Use an address that can be reached from the internet. To test a receiver on your own machine, use a tunnel. The operator of this service can allow a network with WEBHOOK_ALLOW_CIDRS.',
  },
  dns_failed: {
    what: 'The host name could not be resolved: DNS has no address for it.',
    todo: 'Check the host name for typos, and check with your DNS provider that it exists and has not expired.',
  },
  connection_refused: {
    what: 'Connection refused: nothing is listening at this address and port.',
    todo: 'Start your receiver, and check that its port is the one in the address. A firewall that rejects connections looks the same.',
  },
  connection_reset: {
    what: 'The receiver closed the connection before it responded.',
    todo: 'Check the logs of your receiver and of any proxy in front of it. A crash, or a limit on body size or time, closes connections like this.',
  },
  connect_timeout: {
    what: 'The connection timed out.',
    todo: 'The machine is down, or a firewall drops our connections. Check that it can be reached from the internet at this port.',
  },
  timeout: {
    what: 'The receiver did not respond in time.',
    todo: 'Return 2xx as soon as the signature is verified, and do the work later in a queue. The event may already have been handled: check webhook-id before you handle it again.',
  },
  tls_failed: {
    what: 'The TLS connection failed: the certificate or the TLS settings are wrong.',
    todo: 'Check that this port supports TLS 1.2 or newer, and that its certificate matches the host name, has not expired, and is sent with the full chain. Self-signed certificates are not accepted.',
  },
  protocol_error: {
    what: 'The response is not valid HTTP.',
    todo: 'Check that the port supports HTTP/1.1, and https if the address begins with https. Its headers may be too large.',
  },
  network_error: {
    what: 'A network error occurred on the way to the receiver.',
    todo: 'The next attempt usually succeeds. If it does not, contact your network provider.',
  },
};

function adviceOnError(error: string, { statusCode, errorDetail }: Outcome): Advice {
  const general = errors[error] ?? {
    what: `The attempt failed: ${readable(error)}.`,
    todo: 'Check the logs of your receiver at the time of the attempt.',
  };
  const known = { ...general, what: errorDetail ?? general.what };
  // Earlier versions recorded the status code of a response that broke off, together with a failure.
  return statusCode === null ? known : { ...known, what: `${known.what} The response had begun with ${statusCode}.` };
}

const redirect = ({ statusCode, responseHeaders }: Outcome): Advice => {
  const location = responseHeaders?.location;
  return {
    what: `The receiver returned ${statusCode}, a redirect. Redirects are not followed.`,
    todo: location
      ? `If ${location} is yours, change the endpoint’s address to it.`
      : 'Change the endpoint’s address to the one that it redirects to. Often a trailing slash or https is missing.',
  };
};

const away = ({ statusCode }: Outcome): Advice => ({
  what: `The receiver or a proxy in front of it returned ${statusCode}: it is not available.`,
  todo: 'Check that your receiver is running and that the proxy can reach it. During a deployment this is normal, and a later attempt succeeds.',
});

const say = (what: string, todo: string) => (): Advice => ({ what, todo });

const forbidden =
  'Accept requests at this address without a login: the signature proves who sent them. Also check your firewall and bot protection.';

const byStatus: Record<number, (outcome: Outcome) => Advice> = {
  301: redirect,
  302: redirect,
  303: redirect,
  307: redirect,
  308: redirect,
  400: say(
    'The receiver returned 400: it rejected the request.',
    'Usually the signature did not match. Verify the raw body before anything parses it, with the secret of this endpoint in this mode. The response may say more.',
  ),
  401: say('The receiver returned 401: it requires a login.', forbidden),
  403: say('The receiver returned 403: the request is forbidden.', forbidden),
  404: say(
    'The receiver returned 404: there is nothing at this path.',
    'Check that the path in the endpoint’s address matches the route of your receiver, and that the latest version is deployed.',
  ),
  405: say('The receiver returned 405: it does not accept POST at this path.', 'Make your route accept POST.'),
  408: say(
    'The receiver returned 408: it waited too long for the request.',
    'Check the timeouts of your receiver and of any proxy in front of it.',
  ),
  410: say(
    'The receiver returned 410: it is permanently gone. The endpoint was disabled, and nothing more is sent there.',
    'If that was a mistake, fix the receiver, resume the endpoint and replay what it missed. If not, remove the endpoint.',
  ),
  411: say(
    'The receiver returned 411.',
    'Each delivery has a Content-Length. A proxy in front of your receiver may remove it.',
  ),
  413: say(
    'The receiver returned 413: the body is too large.',
    'Raise the limit of your receiver or of any proxy in front of it. A delivery is smaller than 100 KiB.',
  ),
  415: say(
    'The receiver returned 415: it does not accept this content type.',
    'Make your route accept application/json.',
  ),
  421: say(
    'The receiver returned 421: the host name leads to another server.',
    'Check which server the host name in the address leads to, and the names in its certificate.',
  ),
  422: say(
    'The receiver returned 422: it rejected the content of the event.',
    'Return 2xx for events that you do not need. If you need this one, check what your receiver did not expect.',
  ),
  429: say(
    'The receiver returned 429: it got too many requests.',
    'Raise the limit for our requests, or respond at once and do the work later. A Retry-After header is respected.',
  ),
  502: away,
  503: away,
  504: away,
};

function adviceOnStatus(statusCode: number): Advice {
  if (statusCode >= 500) {
    return {
      what: `The receiver returned ${statusCode}: it had an error.`,
      todo: 'Look for the error in the logs of your receiver at the time of the attempt.',
      again: 'Once it is fixed, resend this delivery.',
    };
  }
  if (statusCode >= 400) {
    return {
      what: `The receiver returned ${statusCode}: it refused the request.`,
      todo: 'See the response and the logs of your receiver. Only a 2xx counts as delivered.',
    };
  }
  return {
    what: `The receiver returned ${statusCode}, which does not count as success.`,
    todo: 'Return 2xx, preferably 204, once the event is accepted.',
  };
}
