// Shows the answer to a request that the reader sent from the page of an operation.

/** The maximum number of characters of an answer that are shown. */
const maxCharacters = 100_000;

export function showAnswer(section, { response, text, ms, shown, docsUrl }) {
  const { status, statusText, headers } = response;
  const word = document.createElement('b');
  word.className = status < 400 ? 'good' : 'bad';
  word.textContent = `${status} ${statusText}`.trim();
  const [said, list, figure] = partsOf(section);
  said.replaceChildren(word, ` in ${ms.toLocaleString('en')} ms`);
  list.replaceChildren(...shown.flatMap((name) => headerLines(name, headers.get(name))));
  const value = parsed(text);
  const code = errorCode(value);
  if (code) said.append('. ', linkTo(`${docsUrl}/errors#${code}`, `What ${code} means`));
  figure.hidden = text === '';
  if (text === '') said.append('. The answer has no body.');
  const pretty = value === undefined ? text : JSON.stringify(value, null, 2);
  const beginning = pretty.slice(0, maxCharacters);
  // Only JSON is coloured. In a CSV file the colours of JSON would mean nothing.
  figure.querySelector('code').replaceChildren(...(value === undefined ? [beginning] : coloured(beginning)));
  if (pretty.length > maxCharacters) said.append('. Only the beginning of the body is shown.');
}

export function showFailure(section, reason) {
  const [said, list, figure] = partsOf(section);
  said.textContent = reason;
  list.replaceChildren();
  figure.hidden = true;
}

function partsOf(section) {
  section.hidden = false;
  return ['[role=status]', 'dl', 'figure'].map((part) => section.querySelector(part));
}

function headerLines(name, value) {
  if (value === null) return [];
  const [term, description] = ['dt', 'dd'].map((tag) => document.createElement(tag));
  term.textContent = name;
  description.textContent = value;
  return [term, description];
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The documentation explains only the error codes of the contract, but another server may answer with any value. */
function errorCode(value) {
  const code = value?.error?.code;
  return typeof code === 'string' && /^\w+$/.test(code) ? code : undefined;
}

function* coloured(text) {
  let end = 0;
  for (const match of text.matchAll(/("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    const [whole, string, colon] = match;
    yield text.slice(end, match.index);
    yield string && !colon && /^"https?:\/\//.test(string)
      ? addressIn(string)
      : span(classOf(string, colon, whole), whole);
    end = match.index + whole.length;
  }
  yield text.slice(end);
}

function classOf(string, colon, whole) {
  if (colon) return 'hljs-attr';
  if (string) return 'hljs-string';
  return /^[tfn]/.test(whole) ? 'hljs-literal' : 'hljs-number';
}

function span(name, text) {
  const element = document.createElement('span');
  element.className = name;
  element.textContent = text;
  return element;
}

function addressIn(string) {
  const address = JSON.parse(string);
  const link = linkTo(address, string);
  link.target = '_blank';
  link.rel = 'noreferrer';
  return link;
}

function linkTo(address, text) {
  const link = document.createElement('a');
  link.href = address;
  link.textContent = text;
  return link;
}
