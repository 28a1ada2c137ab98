// The script is loaded when a reader opens the form that sends the request of an operation.
import { showAnswer, showFailure } from './try-answer.js';

start(document.getElementById('try'));

function start(details) {
  const form = details.querySelector('form');
  const [server, key, warning] = ['#try-server', '#try-key', '.warning'].map((one) => form.querySelector(one));
  const here = document.querySelector('.search').action.replace(/\/docs\/search$/, '');
  prepareServers();
  form.querySelector('fieldset').disabled = false;
  form.addEventListener('input', () => {
    warning.hidden = true;
  });
  key.addEventListener('input', () => keep(keyPlace(), key.value.trim()));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isLive() && form.dataset.method !== 'GET') warn();
    else void send();
  });

  function prepareServers() {
    for (const option of server.querySelectorAll('option')) if (option.value === here) option.remove();
    const kept = keptAt('tillhook-docs-server');
    if ([...server.options].some(({ value }) => value === kept)) server.value = kept;
    key.value = keptAt(keyPlace());
    server.addEventListener('change', () => {
      keep('tillhook-docs-server', server.value);
      key.value = keptAt(keyPlace());
    });
  }

  /** Each server has its own stored key, so that a key for one server is never sent to another server. */
  function keyPlace() {
    return `tillhook-docs-key ${server.value || here}`;
  }

  function isLive() {
    return key.value.trim().startsWith('sk_live_');
  }

  function warn() {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Send it in live mode';
    button.addEventListener('click', ({ detail }) => {
      // The second click of a double click on "Send" does not count as a confirmation.
      if (detail > 1) return;
      warning.hidden = true;
      void send();
    });
    warning.replaceChildren('This is a live key: the request changes real data, and may move real money. ', button);
    warning.hidden = false;
  }

  async function send() {
    const answer = details.querySelector('.answer');
    const unfit = unfitText(form, key.value.trim());
    if (unfit) return showFailure(answer, unfit);
    const stopping = new AbortController();
    const [submit, stop] = [form.querySelector('[type=submit]'), form.elements.stop];
    stop.onclick = () => stopping.abort();
    submit.disabled = true;
    stop.hidden = false;
    const base = server.value || here;
    try {
      const request = requestOf(form, key.value.trim(), base);
      const startedAt = performance.now();
      const response = await fetch(request.url, { ...request.options, signal: stopping.signal });
      const text = await response.text();
      const shown = ['Content-Type', ...form.dataset.shown.split(' ')];
      const ms = Math.round(performance.now() - startedAt);
      showAnswer(answer, { response, text, ms, shown, docsUrl: `${here}/docs` });
    } catch {
      showFailure(answer, reasonOf({ isStopped: stopping.signal.aborted, base, isHere: base === here }));
    } finally {
      submit.disabled = false;
      stop.hidden = true;
    }
  }
}

/** The form looks for invalid characters itself, because the browser's error would not say which field has them. */
function unfitText(form, key) {
  if (/[^!-~]/.test(key)) return 'The key has a character that no key has. Copy the whole key again, and nothing else.';
  const header = [...form.querySelectorAll('[data-in=header]')].find(({ value }) => /[^ -~]/.test(value));
  return (
    header && `${header.dataset.name} has a character that no header may have: use letters, digits and signs of ASCII.`
  );
}

function requestOf(form, key, base) {
  const { method, path, credential } = form.dataset;
  const fields = [...form.querySelectorAll('[data-in]')].filter(({ value }) => value !== '');
  const inPlace = (place) => fields.filter(({ dataset }) => dataset.in === place);
  const filled = inPlace('path').reduce(
    (address, { dataset, value }) => address.replace(`{${dataset.name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams();
  for (const { dataset, value } of inPlace('query')) {
    const values = dataset.list === undefined ? [value] : value.split(',').map((one) => one.trim());
    for (const one of values) query.append(dataset.name, one);
  }
  const headers = new Headers(inPlace('header').map(({ dataset, value }) => [dataset.name, value]));
  const [name, text] = credential.split(': ');
  if (key !== '') headers.set(name, text.replace('$KEY', key));
  const body = form.querySelector('#try-body')?.value;
  if (body) headers.set('Content-Type', 'application/json');
  const queryText = String(query);
  return {
    url: `${base}${filled}${queryText && `?${queryText}`}`,
    // The request has no cookie and no referrer, and follows no redirect: the key is for the chosen server only.
    options: {
      method,
      headers,
      body: body || undefined,
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    },
  };
}

function reasonOf({ isStopped, base, isHere }) {
  if (isStopped) return 'Stopped. The server may have carried the request out.';
  if (isHere) return 'No answer. Is the server running, and are you connected?';
  return `No answer from ${base}. Is it running, and does it allow calls from pages of ${window.location.origin}?`;
}

/** The session storage is for this tab only, and is emptied when the tab is closed. */
function keep(place, text) {
  try {
    sessionStorage.setItem(place, text);
  } catch {
    // If the browser cannot store the text, only the field keeps the text.
  }
}

function keptAt(place) {
  try {
    return sessionStorage.getItem(place) ?? '';
  } catch {
    return '';
  }
}
