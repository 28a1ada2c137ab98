// Without this script, the search form leads to a page with the results.

const form = document.querySelector('.search');
const field = form.elements.q;
const box = document.createElement('div');
const said = document.createElement('p');
const list = document.createElement('div');

addSearch();

function addSearch() {
  box.className = 'suggestions';
  box.hidden = true;
  list.id = 'search-found';
  set(list, { role: 'listbox', 'aria-label': 'Found' });
  set(said, { role: 'status' });
  box.append(said, list);
  form.append(box);
  set(field, { role: 'combobox', 'aria-expanded': 'false', 'aria-controls': list.id, 'aria-autocomplete': 'list' });
  if (window.matchMedia('(hover: hover)').matches) field.placeholder = 'Search ( / )';
  field.addEventListener('input', search);
  field.addEventListener('keydown', onKey);
  field.addEventListener('blur', () => setTimeout(close, 150));
  // A click on the list, for example on its scroll bar, must not take the focus from the field.
  box.addEventListener('mousedown', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

async function search() {
  const query = field.value.trim();
  if (query === '') return close();
  const findings = await findingsFor(query);
  // Responses may arrive in another order than their requests, so a response for an earlier query is ignored.
  if (field.value.trim() !== query || document.activeElement !== field) return;
  if (!findings) return close();
  show(query, findings);
}

/** Returns undefined when the server does not respond, and the next search sends a request again. */
async function findingsFor(query) {
  try {
    const response = await fetch(`${form.action}.json?q=${encodeURIComponent(query)}`);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

function show(query, { found, isPartial, nearest }) {
  const guides = found.filter(({ isOfOperation }) => !isOfOperation);
  const operations = found.filter(({ isOfOperation }) => isOfOperation);
  const other = found.length > 0 ? group('', [allResults(query)]) : group('Did you mean', nearest.map(similar));
  const groups = [group('Guides', guides.map(result)), group('API reference', operations.map(result))];
  // If the query is the name of an operation, this operation comes first.
  if (found[0]?.isOfOperation) groups.reverse();
  list.replaceChildren(...groups.flat(), ...other);
  for (const [index, option] of options().entries()) option.id = `found-${index}`;
  said.textContent = wordsFor({ found, isPartial, nearest });
  said.classList.toggle('quiet', found.length > 0 && !isPartial);
  list.hidden = options().length === 0;
  box.hidden = false;
  set(field, { 'aria-expanded': String(!list.hidden) });
  choose(0);
}

function wordsFor({ found, isPartial, nearest }) {
  if (found.length + nearest.length === 0) return 'Nothing was found. Press Enter to see pages that are often read.';
  if (found.length === 0) return 'Nothing was found.';
  if (isPartial) return 'No page has all of these words. These have some of them.';
  return found.length === 1 ? '1 result' : `${found.length} results`;
}

function group(title, members) {
  if (members.length === 0) return [];
  if (title === '') return members;
  const [element, heading] = [document.createElement('div'), document.createElement('div')];
  set(element, { role: 'group', 'aria-label': title });
  set(heading, { role: 'presentation', class: 'title' });
  heading.textContent = title;
  element.append(heading, ...members);
  return [element];
}

function result({ address, title, within, excerpt }) {
  const link = optionTo(form.action.replace(/\/search$/, address));
  const [name, place, words] = ['b', 'small', 'span'].map((tag) => document.createElement(tag));
  name.append(...marked(title));
  place.textContent = within;
  words.append(...marked(excerpt));
  // The spaces separate the title, its page and the excerpt for screen readers.
  link.append(name, ' ', place, ' ', words);
  return link;
}

function allResults(query) {
  const link = optionTo(`${form.action}?q=${encodeURIComponent(query)}`);
  link.textContent = 'All results';
  return link;
}

function similar(text) {
  const link = optionTo(`${form.action}?q=${encodeURIComponent(text)}`);
  link.textContent = text;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    field.value = text;
    void search();
  });
  return link;
}

function optionTo(address) {
  const link = document.createElement('a');
  link.href = address;
  set(link, { role: 'option', tabindex: '-1' });
  return link;
}

function marked(parts) {
  return parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function onKey(event) {
  const links = options();
  const at = links.findIndex((link) => link.ariaSelected === 'true');
  if (event.key === 'Escape' && !box.hidden) {
    // Escape only closes the list. Without `preventDefault`, the browser would also empty the search field.
    event.preventDefault();
    close();
  }
  if (box.hidden || links.length === 0) return;
  if (event.key === 'ArrowDown') choose((at + 1) % links.length);
  else if (event.key === 'ArrowUp') choose((at - 1 + links.length) % links.length);
  else if (event.key === 'Enter') links[Math.max(at, 0)].click();
  else return;
  event.preventDefault();
}

function choose(index) {
  for (const [at, link] of options().entries()) set(link, { 'aria-selected': String(at === index) });
  const chosen = options()[index];
  if (!chosen) return field.removeAttribute('aria-activedescendant');
  set(field, { 'aria-activedescendant': chosen.id });
  chosen.scrollIntoView({ block: 'nearest' });
}

function options() {
  return [...list.querySelectorAll('[role=option]')];
}

function close() {
  box.hidden = true;
  set(field, { 'aria-expanded': 'false' });
  field.removeAttribute('aria-activedescendant');
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
