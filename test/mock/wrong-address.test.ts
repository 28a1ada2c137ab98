/** An address that cannot be called is a failed attempt, and no error that would end the process. */
import './unobserved.ts';
import test from 'ava';
import { postWebhook } from '../../mock/src/post-webhook.ts';

for (const url of ['', 'nowhere', 'http://', 'http://localhost:99999/', 'ftp://localhost/webhooks', 'https://[::1']) {
  test(`a webhook to "${url}" is a failed attempt`, async (t) => {
    const outcome = await postWebhook(url, { headers: {}, body: '{}' });

    t.like(outcome, { statusCode: null, error: 'network_error', responseBody: null });
  });
}
