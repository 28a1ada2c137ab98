import type { DeliveryAttempt } from '@tillhook/sdk/session';

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
  if (statusCode === null) return { what: 'No answer was recorded.', todo: null, again: 'Send it again.' };
  if (statusCode >= 200 && statusCode < 300) return { what: `The receiver took it: ${statusCode}.`, todo: null };
  return byStatus[statusCode]?.(outcome) ?? adviceOnStatus(statusCode);
}

const errors: Record<string, Advice> = {
  address_refused: {
    what: 'The address leads into a private network, to which nothing is sent.',
    todo: 'Give the endpoint an address that the internet reaches. To try a receiver on your own machine, use a tunnel and its address. The operator of this service can allow a network with WEBHOOK_ALLOW_CIDRS.',
  },
  dns_failed: {
    what: 'The name in the address leads nowhere: DNS has no address for it.',
    todo: 'Look for a typing mistake in the host name, and check with your DNS provider that the name exists and has not expired.',
  },
  connection_refused: {
    what: 'No program listens at this address and port.',
    todo: 'Start your receiver, and check that its port is the one in the address. A firewall that rejects connections looks the same.',
  },
  connection_reset: {
    what: 'The receiver closed the connection before it had answered.',
    todo: 'Look in the logs of your receiver and of the proxy before it: a process that crashes, or a limit on the body or the time, ends connections like this.',
  },
  connect_timeout: {
    what: 'No connection was made in time.',
    todo: 'The machine is down, or a firewall drops our connections in silence. Check that it can be reached from the internet at this port.',
  },
  timeout: {
    what: 'A connection was made, but no answer came in time.',
    todo: 'Answer 2xx as soon as the signature is verified, and do the work afterwards, in a queue. The event may have been handled: compare webhook-id before you do it twice.',
  },
  tls_failed: {
    what: 'No encrypted connection was made: the certificate or the TLS settings are wrong.',
    todo: 'Check that this port speaks TLS 1.2 or newer, and that its certificate is of this host name, has not expired, and is sent with its whole chain. A certificate that you signed yourself is not accepted.',
  },
  protocol_error: {
    what: 'The answer is not valid HTTP.',
    todo: 'Check that the port speaks HTTP/1.1, and https where the address says https. Its headers may be too large.',
  },
  network_error: {
    what: 'The network failed on the way to the receiver.',
    todo: 'In most cases the next attempt succeeds. If it does not, ask the people who run your network.',
  },
};

function adviceOnError(error: string, { statusCode, errorDetail }: Outcome): Advice {
  const general = errors[error] ?? {
    what: `The attempt failed: ${error.replaceAll('_', ' ')}.`,
    todo: 'Look in the logs of your receiver at the time of the attempt.',
  };
  const known = { ...general, what: errorDetail ?? general.what };
  // Earlier versions recorded the status code of a response that broke off, together with a failure.
  return statusCode === null ? known : { ...known, what: `${known.what} The answer had begun with ${statusCode}.` };
}

const redirect = ({ statusCode, responseHeaders }: Outcome): Advice => {
  const location = responseHeaders?.location;
  return {
    what: `The receiver answered ${statusCode}, which leads to another address. Redirects are not followed.`,
    todo: location
      ? `Change the endpoint’s address to ${location}, if that is yours.`
      : 'Change the endpoint’s address to the one that it leads to. Often a slash at the end or https is missing.',
  };
};

const away = ({ statusCode }: Outcome): Advice => ({
  what: `The receiver, or a proxy before it, answered ${statusCode}: it is not available.`,
  todo: 'Check that your receiver runs and that the proxy reaches it. During a deployment this is normal, and a later attempt succeeds.',
});

const say = (what: string, todo: string) => (): Advice => ({ what, todo });

const forbidden =
  'Accept requests at this address without a login: the signature proves who sent them. Check your firewall and bot protection, too.';

const byStatus: Record<number, (outcome: Outcome) => Advice> = {
  301: redirect,
  302: redirect,
  303: redirect,
  307: redirect,
  308: redirect,
  400: say(
    'The receiver answered 400: it did not accept the request.',
    'Most often the signature did not match. Verify the raw body, before anything parses it, and with the secret of this endpoint in this mode. What it answered below may say more.',
  ),
  401: say('The receiver answered 401: it asks for a login.', forbidden),
  403: say('The receiver answered 403: it forbids the request.', forbidden),
  404: say(
    'The receiver answered 404: it has nothing at this path.',
    'Check the path in the endpoint’s address against the route of your receiver, and that the newest version is deployed.',
  ),
  405: say('The receiver answered 405: it takes no POST at this path.', 'Make your route take POST.'),
  408: say(
    'The receiver answered 408: it waited too long for the request.',
    'Check the time limits of your receiver and of the proxy before it.',
  ),
  410: say(
    'The receiver answered 410: it is gone for good. So nothing more is sent there, and the endpoint was disabled.',
    'If that was a mistake, correct the receiver, resume the endpoint and send again what it missed. If not, remove the endpoint.',
  ),
  411: say(
    'The receiver answered 411.',
    'Each delivery has a Content-Length. Check the proxy before your receiver, which may take it away.',
  ),
  413: say(
    'The receiver answered 413: the body is too large for it.',
    'Raise the limit of your receiver or of the proxy before it. A delivery has less than 100 KiB.',
  ),
  415: say('The receiver answered 415: it does not take this content type.', 'Make your route take application/json.'),
  421: say(
    'The receiver answered 421: the host name leads to another server.',
    'Check which server the host name in the address leads to, and the names in its certificate.',
  ),
  422: say(
    'The receiver answered 422: it understood the body and refused it.',
    'Answer 2xx to events that you do not need. If you need this one, see what your receiver did not expect.',
  ),
  429: say(
    'The receiver answered 429: it was asked too often.',
    'Raise the limit for our requests, or answer at once and do the work afterwards. A Retry-After header is respected.',
  ),
  502: away,
  503: away,
  504: away,
};

function adviceOnStatus(statusCode: number): Advice {
  if (statusCode >= 500) {
    return {
      what: `The receiver answered ${statusCode}: it failed.`,
      todo: 'Look for the error in the logs of your receiver at the time of the attempt.',
      again: 'When it is corrected, send this delivery again.',
    };
  }
  if (statusCode >= 400) {
    return {
      what: `The receiver answered ${statusCode}: it refused the request.`,
      todo: 'See what it answered below, and in its logs. Only a 2xx counts as delivered.',
    };
  }
  return {
    what: `The receiver answered ${statusCode}, which is no success.`,
    todo: 'Make it answer 2xx, best 204, once the event is accepted.',
  };
}
