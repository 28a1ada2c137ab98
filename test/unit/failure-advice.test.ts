import { reasonOf, shortReason } from '@tillhook/dashboard/src/deliveries/delivery-status.ts';
import { adviceOn } from '@tillhook/dashboard/src/deliveries/failure-advice.ts';
import { namedSchema, readContract } from '@tillhook/openapi';
import test from 'ava';

const { model } = readContract();

const codesOf = (name: 'DeliveryError' | 'DeliveryStatusReason') =>
  Object.keys(namedSchema(model, name)['x-extensible-enum'] ?? {});

test('every error of an attempt has a description and advice', (t) => {
  const errors = codesOf('DeliveryError');
  t.true(errors.length >= 9 && errors.includes('tls_failed'));

  for (const error of errors) {
    const { what, todo } = adviceOn({ statusCode: null, error });
    t.false(what.startsWith('The attempt failed'), `the description of ${error} must name the error`);
    t.truthy(todo, error);
  }
});

test('every reason of an undelivered delivery has a description', (t) => {
  const reasons = codesOf('DeliveryStatusReason');
  t.true(reasons.length >= 5 && reasons.includes('worker_crashed'));

  for (const statusReason of reasons) {
    t.truthy(reasonOf({ statusReason })?.todo, statusReason);
    t.not(
      shortReason({ statusReason }),
      statusReason.replaceAll('_', ' '),
      `${statusReason} has short words that name it`,
    );
  }
});

test('every status has a description that names it, and every status other than 2xx has advice', (t) => {
  for (let statusCode = 100; statusCode < 1000; statusCode += 1) {
    const { what, todo } = adviceOn({ statusCode, error: null });
    t.true(what.includes(String(statusCode)), what);
    t.is(todo === null, statusCode >= 200 && statusCode < 300, String(statusCode));
  }
});

test('the advice on a redirect names its target', (t) => {
  const responseHeaders = { location: 'https://shop.example.com/webhooks/' };

  const { todo } = adviceOn({ statusCode: 301, error: null, responseHeaders });

  t.regex(todo ?? '', /^If https:\/\/shop\.example\.com\/webhooks\/ is yours, /);
});

test('the exact failure of an attempt is shown in place of the description of its error code', (t) => {
  const errorDetail = 'The certificate of the receiver is self-signed: no authority has issued it.';
  const { what, todo } = adviceOn({ statusCode: null, error: 'tls_failed', errorDetail });
  t.is(what, errorDetail);
  t.is(todo, adviceOn({ statusCode: null, error: 'tls_failed', errorDetail: null }).todo);
});

test('an unknown error or reason of a newer service is shown unchanged', (t) => {
  t.is(adviceOn({ statusCode: null, error: 'quota_used_up' }).what, 'The attempt failed: Quota used up.');
  t.is(shortReason({ statusReason: 'quota_used_up' }), 'Quota used up');
});
