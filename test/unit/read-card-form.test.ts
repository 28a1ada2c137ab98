import { cardSummary, passesLuhn, problems, readCardForm } from '@tillhook/server/src/pages/checkout/read-card-form.ts';
import { createPaymentSimulator } from '@tillhook/server/src/processors/simulator/payments.ts';
import test from 'ava';

const { testCards } = createPaymentSimulator('test');
const november = new Date('2026-11-21T10:15:00.000Z');
const right = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123', cardName: 'Ada Lovelace' };

function read(changed: Record<string, unknown> = {}, now = november) {
  const form = readCardForm({ ...right, ...changed }, { now, testCards });
  return 'card' in form ? { card: form.card, errors: {}, echo: null } : { card: null, ...form };
}

test('the card form reads a card', (t) => {
  const card = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2030, cvc: '123', name: 'Ada Lovelace' };

  t.deepEqual(read().card, card);
});

for (const cardNumber of ['4242424242424242', '4242-4242-4242-4242', ' 4242 4242 42424242 ']) {
  test(`the card number may be written as ${JSON.stringify(cardNumber)}`, (t) => {
    t.is(read({ cardNumber }).card?.number, '4242424242424242');
  });
}

for (const expiry of [
  '09 / 30',
  '09/30',
  '9/30',
  '0930',
  '09-30',
  '9 / 2030',
  '092030',
  '2030-09',
  '2030/09',
  '203009',
  ' 2030 - 09 ',
  '٢٠٣٠-٠٩',
]) {
  test(`the expiry date may be written as ${expiry}`, (t) => {
    const { card } = read({ expiry });

    t.is(card?.expiryMonth, 9);
    t.is(card?.expiryYear, 2030);
  });
}

for (const expiry of [
  '13 / 30',
  '00 / 30',
  '930',
  '2030',
  '30 / 09',
  'soon',
  '12 / 1999',
  '1999-12',
  '2030-13',
  '2030-9',
]) {
  test(`${expiry} is not an expiry date`, (t) => {
    t.deepEqual(read({ expiry }).errors, { expiry: problems.expiry.wrong });
  });
}

test('a card is valid until the end of its month', (t) => {
  const lastMoment = new Date('2026-11-30T23:59:59.999Z');
  const nextMonth = new Date('2026-12-01T00:00:00.000Z');

  t.truthy(read({ expiry: '11 / 26' }, lastMoment).card);
  t.deepEqual(read({ expiry: '11 / 26' }, nextMonth).errors, { expiry: problems.expiry.past });
});

test('the security code has three digits, and four on American Express', (t) => {
  const amex = { cardNumber: '3782 822463 10005' };

  for (const cvc of ['123', ' 123 ', '1 2\t3']) t.truthy(read({ cvc }).card, cvc);
  for (const cvc of ['12', '1234', '12345', '12a'])
    t.deepEqual(read({ cvc }).errors, { cvc: problems.cvc.wrongOfThree }, cvc);
  t.truthy(read({ ...amex, cvc: '1234' }).card);
  for (const cvc of ['123', '12345', '123a'])
    t.deepEqual(read({ ...amex, cvc }).errors, { cvc: problems.cvc.wrongOfFour }, cvc);
});

test('a security code of three or four digits is accepted while the brand is not known', (t) => {
  const { noTestCard } = problems.cardNumber;

  for (const cvc of ['123', '1234']) {
    t.deepEqual(read({ cardNumber: '6011 1111 1111 1117', cvc }).errors, { cardNumber: noTestCard }, cvc);
  }
});

for (const [script, typed] of [
  ['Arabic', { cardNumber: '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', expiry: '٠٩ / ٣٠', cvc: '٩٨٧' }],
  ['Persian', { cardNumber: '۴۲۴۲۴۲۴۲۴۲۴۲۴۲۴۲', expiry: '۰۹/۳۰', cvc: '۹۸۷' }],
  ['full-width', { cardNumber: '４２４２　４２４２　４２４２　４２４２', expiry: '０９／３０', cvc: '９８７' }],
] as const) {
  test(`card number, expiry date and security code may have ${script} digits`, (t) => {
    t.deepEqual(read(typed).card, {
      number: '4242424242424242',
      expiryMonth: 9,
      expiryYear: 2030,
      cvc: '987',
      name: 'Ada Lovelace',
    });
  });
}

test('the form reports all problems at once, in the order of its fields', (t) => {
  const { errors } = read({ cardNumber: '', expiry: '', cvc: '', cardName: '' });

  t.deepEqual(Object.entries(errors), [
    ['cardNumber', problems.cardNumber.missing],
    ['expiry', problems.expiry.missing],
    ['cvc', problems.cvc.missing],
    ['cardName', problems.cardName.missing],
  ]);
});

test('a mistyped card number and the number of a real card get different messages', (t) => {
  t.deepEqual(read({ cardNumber: '4242424242424241' }).errors, { cardNumber: problems.cardNumber.wrong });
  t.deepEqual(read({ cardNumber: '4111111111111111' }).errors, { cardNumber: problems.cardNumber.noTestCard });
  // This is a Visa number of 15 digits with a right check digit: one digit is missing.
  t.deepEqual(read({ cardNumber: '424242424242424' }).errors, { cardNumber: problems.cardNumber.wrong });
});

for (const [cardName, name] of [
  ['Studio 54 GmbH', 'Studio 54 GmbH'],
  ['John Smith 2', 'John Smith 2'],
  ['شركة ٧ نجوم', 'شركة ٧ نجوم'],
  ['Ada\tLovelace ', 'Ada Lovelace'],
  ['Order 12345678901', 'Order 12345678901'],
] as const) {
  test(`the name on the card may be ${JSON.stringify(cardName)}`, (t) => {
    t.is(read({ cardName }).card?.name, name);
  });
}

for (const cardName of [
  '4242424242424242',
  '4242 - 4242 4242 4242',
  'Ada 378282246310005',
  '４２４２４２４２４２４２',
  'Ada\u0007',
]) {
  test(`${JSON.stringify(cardName)} is not a name on a card, and the form does not show it again`, (t) => {
    const { errors, echo } = read({ cardName });

    t.deepEqual([errors, echo?.cardName], [{ cardName: problems.cardName.wrong }, '']);
  });
}

test('the form refuses every card if there are no test cards', (t) => {
  const form = readCardForm(right, { now: november, testCards: [] });

  t.true('errors' in form);
});

test('the form shows again only values that cannot be a card number', (t) => {
  t.deepEqual(read({ cvc: '' }).echo, { expiry: '12 / 30', cardName: 'Ada Lovelace' });
  t.deepEqual(read({ cardName: '4242 4242 4242 4242' }).echo, { expiry: '12 / 30', cardName: '' });
  t.deepEqual(read({ cardName: '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢' }).echo, { expiry: '12 / 30', cardName: '' });
  t.deepEqual(read({ expiry: '4242424242424242' }).echo, { expiry: '', cardName: 'Ada Lovelace' });
});

test('the form reads bodies that no browser sends without throwing an error', (t) => {
  for (const body of [undefined, null, 'text', [], { cardNumber: ['4242'], cvc: { a: 1 } }]) {
    t.true('errors' in readCardForm(body, { now: november, testCards }));
  }
  t.deepEqual(read({ cardName: 'A'.repeat(101) }).errors, { cardName: problems.cardName.wrong });
});

test('only the brand and the last four digits of a card are kept', (t) => {
  const of = (number: string) => cardSummary({ number, expiryMonth: 1, expiryYear: 2030, cvc: '123', name: 'Ada' });

  t.deepEqual(of('4242424242424242'), { brand: 'visa', last4: '4242' });
  t.deepEqual(of('5555555555554444'), { brand: 'mastercard', last4: '4444' });
  t.deepEqual(of('2223003122003222'), { brand: 'mastercard', last4: '3222' });
  t.deepEqual(of('378282246310005'), { brand: 'amex', last4: '0005' });
  t.deepEqual(of('340000000000009'), { brand: 'amex', last4: '0009' });
  t.deepEqual(of('3530111333300000'), { brand: 'unknown', last4: '0000' });
});

test('the check digit detects a wrong digit and two swapped digits', (t) => {
  t.true(passesLuhn('4084084084084081'));
  t.false(passesLuhn('4084084084084082'));
  t.false(passesLuhn('4048084084084081'));
});
