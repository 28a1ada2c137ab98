/**
 * Improves the hosted pages; each of them works without this script. Its only requests ask for the status of a payment
 * that is being decided. All rules that it checks come from attributes of the markup.
 */

const pollsUntilSlow = 7;
const pollTimeoutMs = 10_000;

const form = document.querySelector('[data-card-form]');
if (form) {
  for (const input of fieldsOf(form.elements).slice(0, 3)) writeInAscii(input);
  groupDigits(form.elements.cardNumber);
  showBrand(form.elements.cardNumber);
  slashExpiry(form.elements.expiry);
  fillFromTestCards(form);
  checkBeforeSending(form);
}
// This listener comes after the check of the card form, so that a form that the check stopped does not count as sent.
for (const sent of document.querySelectorAll('form[data-once]')) sendOnce(sent);
document.querySelector('[role="alert"]:not([hidden])')?.focus();
for (const time of document.querySelectorAll('time')) showInOwnTimeZone(time);
for (const timer of document.querySelectorAll('[data-seconds-left]')) countDownToExpiry(timer);
for (const link of document.querySelectorAll('[data-go-after]')) goAfter(link);
for (const link of document.querySelectorAll('[data-poll]')) pollStatus(link);
for (const button of document.querySelectorAll('[data-print]')) offerToPrint(button);

/** Replaces Arabic, Persian and full-width digits while the customer types. The code of each ends in its value. */
function writeInAscii(input) {
  input.addEventListener('input', () => {
    const ascii = input.value.replace(
      /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g,
      (digit) => digit.charCodeAt(0) % 16,
    );
    if (ascii === input.value) return;
    const cursor = input.selectionStart;
    input.value = ascii;
    input.setSelectionRange(cursor, cursor);
  });
}

/** Formats `4242424242424242` as `4242 4242 4242 4242` while typing. The cursor stays after the same digit. */
function groupDigits(input) {
  input.addEventListener('input', () => {
    const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart)).length;
    const grouped = digitsOf(input.value)
      .slice(0, 19)
      .replace(/\d{4}(?=\d)/g, '$& ');
    if (grouped === input.value) return;
    input.value = grouped;
    const cursor = digitsBefore + Math.floor(Math.max(0, digitsBefore - 1) / 4);
    input.setSelectionRange(cursor, cursor);
  });
}

/**
 * Shows the picture of the brand that the typed number begins with. All pictures have the same place, so nothing moves.
 */
function showBrand(input) {
  const marks = [...input.parentElement.querySelectorAll('[data-starts]')];
  const show = () => {
    const digits = digitsOf(input.value);
    const shown = marks.find(({ dataset }) => new RegExp(dataset.starts).test(digits));
    for (const mark of marks) mark.hidden = mark !== shown;
  };
  input.addEventListener('input', show);
  // When the customer comes back to this page, the browser may restore the typed number.
  addEventListener('pageshow', show);
}

/**
 * Inserts the slash of the expiry date, only while the customer types
 * at the end. Deleting and correcting change nothing else.
 */
function slashExpiry(input) {
  input.addEventListener('input', (event) => {
    if (event.inputType?.startsWith('delete') || input.selectionStart < input.value.length) return;
    const typed = input.value.replace(/^([2-9])$/, '0$1');
    const [, month, year] = /^(0[1-9]|1[0-2])\D*(\d{0,4})$/.exec(typed) ?? [];
    if (month) input.value = `${month} / ${year.length === 4 ? year.slice(2) : year}`;
  });
}

function fillFromTestCards({ elements }) {
  for (const button of document.querySelectorAll('[data-fill]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const expiry = `12 / ${String(new Date().getFullYear() + 3).slice(2)}`;
      const values = { cardNumber: button.dataset.fill, expiry, cvc: '123' };
      for (const [name, value] of Object.entries(values)) elements[name].value = value;
      elements.cardName.value ||= button.dataset.holder;
      for (const input of fieldsOf(elements)) input.dispatchEvent(new Event('input'));
      hideSummary();
      const pay = form.querySelector('[data-busy]');
      pay.focus();
      pay.scrollIntoView({ block: 'nearest' });
    });
  }
}

/**
 * Checks the form with the server's messages before it is sent, so
 * that the number of a real card never leaves this page.
 */
function checkBeforeSending(cardForm) {
  cardForm.noValidate = true;
  for (const input of fieldsOf(cardForm.elements)) {
    input.removeAttribute('title');
    input.addEventListener('input', () => showProblem(input, ''));
  }
  cardForm.addEventListener('submit', (event) => {
    const wrong = fieldsOf(cardForm.elements).filter((input) => showProblem(input, problemOf(input, cardForm)) !== '');
    if (wrong.length === 0) return hideSummary();
    event.preventDefault();
    showSummary(wrong);
  });
}

/**
 * Ignores a second click on the button and shows that the form is being sent. The server handles a double submit too.
 */
function sendOnce(sent) {
  const status = sent.querySelector('[data-sending]');
  let pressed = null;
  sent.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (pressed) return event.preventDefault();
    const button = event.submitter ?? sent.querySelector('[data-busy]');
    const label = button.querySelector('[data-label]');
    pressed = { button, label, words: [...label.childNodes] };
    button.setAttribute('aria-busy', 'true');
    label.replaceChildren(button.dataset.busy);
    status.textContent = button.dataset.busy;
  });
  // The browser's back button may restore this page with its busy button.
  addEventListener('pageshow', () => {
    pressed?.button.removeAttribute('aria-busy');
    pressed?.label.replaceChildren(...pressed.words);
    pressed = null;
    status.textContent = '';
  });
}

function problemOf(input, cardForm) {
  const { validity, dataset } = input;
  if (input.value.trim() === '') return dataset.missing;
  if (!validity.valid) return dataset.wrong;
  return dataset.past && isPast(input.value, cardForm.dataset.thisMonth) ? dataset.past : '';
}

function isPast(expiry, thisMonth) {
  const digits = digitsOf(expiry);
  const year = digits.slice(-2);
  const month = digits.length > 4 ? digits.slice(0, -4) : digits.slice(0, -2);
  return `20${year}-${month.padStart(2, '0')}` < thisMonth;
}

function showProblem(input, problem) {
  const message = document.querySelector(`#${input.id}-error`);
  message.textContent = problem;
  message.hidden = problem === '';
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
  return problem;
}

function showSummary(wrong) {
  const summary = document.querySelector('#error-summary');
  const items = wrong.map((input) => {
    const link = Object.assign(document.createElement('a'), { href: `#${input.id}` });
    link.textContent = document.querySelector(`#${input.id}-error`).textContent;
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  summary.querySelector('p').textContent = summary.dataset.words;
  summary.querySelector('ul').replaceChildren(...items);
  summary.hidden = false;
  summary.focus();
  document.title = form.dataset.errorTitle;
}

function hideSummary() {
  document.querySelector('#error-summary').hidden = true;
  document.title = form.dataset.title;
}

function showInOwnTimeZone(time) {
  const options = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' };
  time.textContent = new Intl.DateTimeFormat(time.lang, options).format(new Date(time.dateTime));
}

/** Counts down from the time left that the server gave, because the customer's clock may be wrong. */
function countDownToExpiry(timer) {
  const endsAt = Date.now() + Number(timer.dataset.secondsLeft) * 1000;
  const shown = timer.querySelector('[data-countdown]');
  everySecond(() => {
    const left = Math.max(0, Math.round((endsAt - Date.now()) / 1000));
    timer.hidden = left > Number(timer.dataset.shownBelow);
    shown.textContent = `${inDigits(Math.floor(left / 60), 1)}:${inDigits(left % 60, 2)}`;
    const isPaying = document.querySelector('[aria-busy="true"]');
    if (left === 0 && !isPaying) location.replace(location.pathname);
    return left > 0;
  });
}

function goAfter(link) {
  let left = Number(link.dataset.goAfter);
  const shown = document.querySelector('.going [data-countdown]');
  const sentences = JSON.parse(shown?.dataset.sentences ?? '[]');
  everySecond(() => {
    if (shown) shown.textContent = sentences[left];
    if (left <= 0) location.replace(link.href);
    left -= 1;
    return left >= 0;
  });
}

/**
 * Polls the payment's status in the background and reloads the page only when it has changed, so that a customer who
 * reads the page is not moved to its top every few seconds.
 */
function pollStatus(link) {
  const pauseMs = Number(link.dataset.poll) * 1000;
  const slow = document.querySelector('[data-slow]');
  let polls = 0;
  const poll = async () => {
    polls += 1;
    if (polls === pollsUntilSlow) slow.textContent = slow.dataset.slow;
    if (await hasChanged(link.href)) location.replace(link.href);
    else setTimeout(poll, pauseMs);
  };
  setTimeout(poll, pauseMs);
}

/** Whether the payment has left this status. Without an answer it is false: the network may fail for a moment. */
async function hasChanged(address) {
  if (document.hidden) return false;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(pollTimeoutMs) });
    const seen = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return answer.ok && !seen.querySelector('[data-poll]');
  } catch {
    return false;
  }
}

function offerToPrint(button) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

/** Writes a number with the digits of the page's language. */
function inDigits(number, minimumIntegerDigits) {
  return new Intl.NumberFormat(document.documentElement.lang, { minimumIntegerDigits }).format(number);
}

function everySecond(tick) {
  if (tick()) setTimeout(() => everySecond(tick), 1000);
}

function fieldsOf(elements) {
  return [elements.cardNumber, elements.expiry, elements.cvc, elements.cardName];
}

function digitsOf(text) {
  return text.replace(/\D/g, '');
}
