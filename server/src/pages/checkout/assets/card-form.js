/**
 * Checks the card form with the server's rules and messages before it is sent, so that the number of a real card
 * never leaves this page. A field is checked when the customer leaves it. While it has a mistake, it is checked again
 * whenever its value changes.
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
  });
}

/**
 * Shows the mistake in a field that the customer has left. An empty field is not reported before the form is sent. A
 * field that still has the focus is not reported either, because the customer has only switched to another window.
 */
function checkLeft(input) {
  if (document.activeElement !== input && input.value.trim() !== '') showProblem(input, problemOf(input, form));
}

/**
 * Removes the message about an empty field as soon as the field has a value, because the customer is still typing.
 */
function checkAgain(input, changed) {
  const wasMissing = messageOf(input).textContent === input.dataset.missing;
  if (!wasMissing) showProblem(input, problemOf(input, form));
  else if (input === changed) showProblem(input, '');
}

/**
 * A new message moves the elements below it. The message is shown only when the pointer is released, because the
 * click would otherwise miss the button that has moved.
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
 * Clears the form when the customer leaves the page, because the Back button may restore the page. The browser has
 * sent the card by then.
 */
function forgetWhenLeft() {
  addEventListener('pagehide', () => form.reset());
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
 * Screen readers announce the summary when its text changes, and read it when it gets the focus. When the mistakes
 * are the same as before, the text is not changed.
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
