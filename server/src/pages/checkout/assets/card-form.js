/**
 * Checks the card form before it is sent, so that the number of a real card never leaves this page.
 * See docs/decisions/checkout-page.md, "The cursor goes on by itself, and a field is judged when it is left".
 */
import { codeLengthOf, fieldsOf, helpTyping, problemOf } from './card-fields.js';

const form = document.querySelector('[data-card-form]');
const fields = fieldsOf(form);
const summary = document.querySelector('#error-summary');
let pressIsOver = Promise.resolve();

notePresses();
helpTyping(form);
checkFields();
checkBeforeSending();
fillFromTestCards();
openTestCards();
forgetWhenLeft();

function checkFields() {
  for (const input of fields) {
    input.removeAttribute('title');
    input.addEventListener('blur', async () => {
      await pressIsOver;
      checkLeft(input);
    });
  }
  form.addEventListener('input', ({ target }) => {
    for (const input of fields.filter((each) => each.hasAttribute('aria-invalid'))) checkAgain(input, target);
    if (isCorrected()) hideSummary();
  });
}

/** The summary without a list is not about fields. */
function isCorrected() {
  if (summary.hidden || !summary.querySelector('li')) return false;
  return !fields.some((input) => input.hasAttribute('aria-invalid'));
}

/** A field that still has the focus is not checked, because the customer has only switched to another window. */
function checkLeft(input) {
  if (document.activeElement !== input && input.value.trim() !== '') showProblem(input, problemOf(input, form));
}

/** Removes the message about an empty field as soon as the customer begins to type. */
function checkAgain(input, changed) {
  const wasMissing = messageOf(input).textContent === input.dataset.missing;
  if (!wasMissing) showProblem(input, problemOf(input, form));
  else if (input === changed) showProblem(input, '');
}

/**
 * A new message moves the button below it, so it is shown only when the pointer is released: a click would otherwise
 * miss the button.
 */
function notePresses() {
  addEventListener('pointerdown', () => {
    pressIsOver = new Promise((resolve) => {
      for (const end of ['pointerup', 'pointercancel'])
        addEventListener(end, () => setTimeout(resolve), { once: true });
    });
  });
}

function checkBeforeSending() {
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    const wrong = fields.filter((input) => showProblem(input, problemOf(input, form)) !== '');
    if (wrong.length === 0) return hideSummary();
    event.preventDefault();
    showSummary(wrong);
  });
}

function fillFromTestCards() {
  for (const button of document.querySelectorAll('[data-fill]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const { cardNumber, expiry, cvc, cardName } = form.elements;
      const way = document.querySelector('[name="shown"][value="card"]');
      if (way) way.checked = true;
      cardNumber.value = button.dataset.fill;
      expiry.value = `12 / ${String(new Date().getFullYear() + 3).slice(2)}`;
      cvc.value = '1234'.slice(0, codeLengthOf(form));
      cardName.value ||= button.dataset.holder;
      for (const input of fields) input.dispatchEvent(new Event('input', { bubbles: true }));
      hideSummary();
      const pay = form.querySelector('[data-busy]');
      pay.focus();
      pay.scrollIntoView({ block: 'nearest' });
    });
  }
}

/** Some browsers do not open a collapsed `details` element when a link leads to an element inside it. */
function openTestCards() {
  const link = document.querySelector('[data-opens]');
  link?.addEventListener('click', () => {
    document.querySelector(link.hash).closest('details').open = true;
  });
}

/**
 * Clears the form when the customer leaves, because the Back button may restore the page. After a decline, the form was
 * sent with a date and a name, which a reset alone would write again.
 */
function forgetWhenLeft() {
  addEventListener('pagehide', () => {
    form.reset();
    for (const input of fields) input.value = '';
  });
}

/** Changes the message only when it is different, because screen readers announce each change. */
function showProblem(input, problem) {
  const message = messageOf(input);
  if (message.textContent !== problem) message.textContent = problem;
  message.hidden = problem === '';
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
  return problem;
}

/**
 * Screen readers announce the summary whenever its text changes, so the text is changed only when the mistakes differ.
 */
function showSummary(wrong) {
  const list = summary.querySelector('ul');
  const items = wrong.map((input) => {
    const link = Object.assign(document.createElement('a'), { href: `#${input.id}` });
    link.textContent = messageOf(input).textContent;
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  const isSame = !summary.hidden && list.textContent === items.map(({ textContent }) => textContent).join('');
  if (!isSame) {
    summary.querySelector('p').textContent = summary.dataset.words;
    list.replaceChildren(...items);
    summary.hidden = false;
  }
  summary.focus();
  document.title = form.dataset.errorTitle;
}

function hideSummary() {
  summary.hidden = true;
  document.title = form.dataset.title;
}

function messageOf(input) {
  return document.querySelector(`#${input.id}-error`);
}
