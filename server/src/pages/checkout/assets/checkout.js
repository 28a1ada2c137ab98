/** The hosted pages work without this script, which gets its settings from attributes of the markup. */

/** After about twenty seconds, because a page polls every three seconds. */
const pollsUntilSlow = 7;
const pollTimeoutMs = 10_000;
/** A difference below this limit between two computed ends of the countdown is only the duration of a request. */
const slackMs = 3000;

let isPrinting = false;

// When the Back button restores this page, it is reloaded, because the server may no longer accept its form.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.replace(location.pathname + location.search);
});

// The answer to a declined card is the answer to a POST. Without this, Firefox shows an error page when the customer goes
// back to it, and a reload asks whether to send the form again. Now both request the page.
history.replaceState(history.state, '', location.href);

// The card form's submit handlers run before these handlers, so a submit that they prevent does not count as sent.
for (const sent of document.querySelectorAll('form[data-once]')) sendOnce(sent);
document.querySelector('.alert:not([hidden])')?.focus();
for (const time of document.querySelectorAll('time')) showInOwnTimeZone(time);
for (const timer of document.querySelectorAll('[data-seconds-left]')) countDownToExpiry(timer);
for (const link of document.querySelectorAll('[data-go-after]')) goAfter(link);
for (const link of document.querySelectorAll('[data-poll]')) pollStatus(link);
for (const button of document.querySelectorAll('[data-print]')) offerToPrint(button);
for (const button of document.querySelectorAll('[data-copy]')) offerToCopy(button);
for (const button of document.querySelectorAll('[data-phone]')) offerPhone(button);

function sendOnce(sent) {
  const status = sent.querySelector('[data-sending]');
  let isSent = false;
  sent.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (isSent) return event.preventDefault();
    isSent = true;
    const button = event.submitter ?? sent.querySelector('[data-busy]');
    const label = button.querySelector('[data-label]');
    button.setAttribute('aria-busy', 'true');
    label.replaceChildren(button.dataset.busy);
    status.textContent = button.dataset.busy;
  });
}

function showInOwnTimeZone(time) {
  const options = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' };
  time.textContent = new Intl.DateTimeFormat(time.dataset.locale, options).format(new Date(time.dateTime));
}

/** Counts down from the time left that the server sent, because the customer's clock may be wrong. */
function countDownToExpiry(timer) {
  let endsAt = endOf(timer);
  if (timer.dataset.askEvery) {
    followExpiry(Number(timer.dataset.askEvery) * 1000, (end) => {
      if (Math.abs(end - endsAt) > slackMs) endsAt = end;
    });
  }
  const shown = timer.querySelector('[data-countdown]');
  everySecond(() => {
    const left = Math.max(0, Math.round((endsAt - Date.now()) / 1000));
    timer.hidden = left > Number(timer.dataset.shownBelow);
    shown.textContent = `${inDigits(timer, Math.floor(left / 60), 1)}:${inDigits(timer, left % 60, 2)}`;
    const isPaying = document.querySelector('[aria-busy="true"]');
    if (left === 0 && !isPaying) location.replace(location.pathname);
    return left > 0;
  });
}

function endOf(timer) {
  return Date.now() + Number(timer.dataset.secondsLeft) * 1000;
}

/** When the reloaded page has no timer, the customer can no longer pay. */
function followExpiry(pauseMs, onEnd) {
  const ask = async () => {
    const seen = await loadPage(location.pathname);
    if (seen) {
      const timer = seen.querySelector('[data-seconds-left]');
      onEnd(timer ? endOf(timer) : Number.NEGATIVE_INFINITY);
    }
    setTimeout(ask, pauseMs);
  };
  setTimeout(ask, pauseMs);
}

function goAfter(link) {
  let left = Number(link.dataset.goAfter);
  const shown = document.querySelector('.going [data-countdown]');
  const sentences = JSON.parse(shown?.dataset.sentences ?? '[]');
  everySecond(() => {
    if (shown) shown.textContent = sentences[left];
    if (isPrinting) return false;
    if (left <= 0) location.replace(link.href);
    left -= 1;
    return left >= 0;
  });
}

/** Reloads the page only when the status has changed, because a reload scrolls to the top while the customer reads. */
function pollStatus(link) {
  const pauseMs = Number(link.dataset.poll) * 1000;
  const slow = document.querySelector('[data-slow]');
  let polls = 0;
  const poll = async () => {
    polls += 1;
    if (slow && polls === pollsUntilSlow) slow.textContent = slow.dataset.slow;
    if (await hasChanged(link.href)) location.replace(link.href);
    else setTimeout(poll, pauseMs);
  };
  setTimeout(poll, pauseMs);
}

async function hasChanged(address) {
  const seen = await loadPage(address);
  return seen !== null && !seen.querySelector('[data-poll]');
}

/** Returns null while the page is hidden, and when a request fails, because the network may fail for a moment. */
async function loadPage(address) {
  if (document.hidden) return null;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(pollTimeoutMs) });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
  } catch {
    return null;
  }
}

/** A customer who prints the receipt is not redirected to the merchant, but can click the link. */
function offerToPrint(button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    isPrinting = true;
    document.querySelector('.going')?.remove();
    print();
  });
}

/** Browsers have no clipboard on pages without TLS, so there the button stays hidden and the customer selects the text. */
function offerToCopy(button) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
    document.querySelector('[data-copy-status]').textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
      document.querySelector('[data-copy-status]').textContent = '';
    }, 2000);
  });
}

/** Fills in a test number, with the first operator unless one was chosen. */
function offerPhone(button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const { phone, operator } = document.querySelector('#phone').form.elements;
    const way = document.querySelector('[name="shown"][value="mobile_money"]');
    if (way) way.checked = true;
    phone.value = button.dataset.phone;
    operator.value ||= [...operator.options].find(({ value }) => value !== '').value;
    phone.form.querySelector('[data-busy]').focus();
  });
}

function inDigits({ dataset }, number, minimumIntegerDigits) {
  return new Intl.NumberFormat(dataset.locale, { minimumIntegerDigits }).format(number);
}

function everySecond(tick) {
  if (tick()) setTimeout(() => everySecond(tick), 1000);
}
