// Adds to the pages, which are complete without this script: a button to copy code, and a search while the reader
// types.

const form = document.querySelector('.search');
const field = form.elements.q;
const found = document.createElement('ul');

redirectOldAnchor();
addCopyButtons();
addSearch();
scrollContents();

/**
 * Links from an earlier version point to operations on the overview, which was the reference then. They still work.
 */
function redirectOldAnchor() {
  const { hash, pathname } = window.location;
  if (!pathname.endsWith('/docs') || hash === '' || document.getElementById(hash.slice(1))) return;
  window.location.replace(`${pathname}/reference${hash}`);
}

/** Scrolls the list of contents to the present page, without scrolling the page. */
function scrollContents() {
  const contents = document.querySelector('.contents');
  const present = contents?.querySelector('[aria-current]');
  const isBelow = present && present.offsetTop > contents.clientHeight * 0.8;
  if (isBelow) contents.scrollTop = present.offsetTop - contents.clientHeight / 2;
}

function addCopyButtons() {
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    figure.querySelector('figcaption').append(button);
  }
}

function addSearch() {
  found.id = 'search-found';
  found.className = 'suggestions';
  found.hidden = true;
  found.setAttribute('role', 'listbox');
  found.setAttribute('aria-label', 'Found');
  form.append(found);
  set(field, { role: 'combobox', 'aria-expanded': 'false', 'aria-controls': found.id, 'aria-autocomplete': 'list' });
  if (window.matchMedia('(hover: hover)').matches) field.placeholder = 'Search ( / )';
  field.addEventListener('input', search);
  field.addEventListener('keydown', onKey);
  field.addEventListener('blur', () => setTimeout(close, 150));
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
  const response = await fetch(`${form.action}.json?q=${encodeURIComponent(query)}`);
  const entries = await response.json();
  // Answers may come in another order than their requests. This one is not for the text that is in the field now.
  if (field.value.trim() !== query) return;
  found.replaceChildren(...entries.map(suggestion));
  found.hidden = entries.length === 0;
  set(field, { 'aria-expanded': String(entries.length > 0) });
  choose(0);
}

function suggestion({ address, title, within, excerpt }, index) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  set(item, { role: 'presentation' });
  set(link, { role: 'option', id: `found-${index}`, href: form.action.replace(/\/search$/, address), tabindex: '-1' });
  const [name, place, words] = ['b', 'small', 'span'].map((tag) => document.createElement(tag));
  name.textContent = title;
  place.textContent = within;
  words.textContent = excerpt;
  link.append(name, place, words);
  item.append(link);
  return item;
}

function onKey(event) {
  const links = suggested();
  const at = links.findIndex((link) => link.ariaSelected === 'true');
  if (event.key === 'Escape') close();
  if (found.hidden || links.length === 0) return;
  if (event.key === 'ArrowDown') choose((at + 1) % links.length);
  else if (event.key === 'ArrowUp') choose((at - 1 + links.length) % links.length);
  else if (event.key === 'Enter') links[Math.max(at, 0)].click();
  else return;
  event.preventDefault();
}

function choose(index) {
  for (const [at, link] of suggested().entries()) set(link, { 'aria-selected': String(at === index) });
  const chosen = suggested()[index];
  if (!chosen) return;
  set(field, { 'aria-activedescendant': chosen.id });
  chosen.scrollIntoView({ block: 'nearest' });
}

/** The links of the suggestions. Each link has the role `option`, because an option must not contain a link. */
function suggested() {
  return [...found.querySelectorAll('a')];
}

function close() {
  found.hidden = true;
  set(field, { 'aria-expanded': 'false' });
  field.removeAttribute('aria-activedescendant');
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
