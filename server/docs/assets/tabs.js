// The browser stores the titles of programs that the reader chooses. Each group shows its program with such a title.

const place = 'tillhook-docs-programs';
const groups = [...document.querySelectorAll('.tabs')].map(tabsOf);

for (const group of groups) group.show(remembered().find((title) => group.has(title)) ?? group.titles[0]);
followAnchor();
window.addEventListener('hashchange', followAnchor);

function tabsOf(element) {
  const panels = [...element.children];
  const tabs = panels.map(tabFor);
  const titles = panels.map(({ dataset }) => dataset.title);
  const list = document.createElement('div');
  set(list, { role: 'tablist', 'aria-label': 'Language or framework', class: 'tablist' });
  list.append(...tabs);
  element.prepend(list);
  element.classList.add('ready');
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const edge = { Home: 0, End: tabs.length - 1 }[event.key];
    const next = edge ?? (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    if (step === 0 && edge === undefined) return;
    event.preventDefault();
    tabs[next].focus();
    choose(titles[next], list);
  });
  for (const [index, tab] of tabs.entries()) tab.addEventListener('click', () => choose(titles[index], list));
  return { titles, panels, has: (title) => titles.includes(title), show };

  function show(title) {
    for (const [index, tab] of tabs.entries()) {
      const isChosen = titles[index] === title;
      set(tab, { 'aria-selected': String(isChosen), tabindex: isChosen ? '0' : '-1' });
      panels[index].hidden = !isChosen;
    }
  }
}

function tabFor(panel) {
  const tab = document.createElement('button');
  set(tab, { type: 'button', role: 'tab', id: `tab-${panel.id}`, 'aria-controls': panel.id });
  set(panel, { role: 'tabpanel', 'aria-labelledby': tab.id });
  tab.textContent = panel.dataset.title;
  return tab;
}

function choose(title, list) {
  const before = list.getBoundingClientRect().top;
  for (const group of groups) if (group.has(title)) group.show(title);
  window.scrollBy(0, list.getBoundingClientRect().top - before);
  keep([title, ...remembered().filter((other) => other !== title)].slice(0, 10));
}

/** The hash of the URL may name a program, such as `#fastify`. */
function followAnchor() {
  const panel = document.getElementById(window.location.hash.slice(1));
  const group = groups.find(({ panels }) => panels.includes(panel));
  if (!group) return;
  group.show(panel.dataset.title);
  panel.parentElement.scrollIntoView();
}

/** The titles that the reader has chosen, the last choice first. */
function remembered() {
  try {
    const titles = JSON.parse(localStorage.getItem(place));
    return Array.isArray(titles) ? titles : [];
  } catch {
    return [];
  }
}

function keep(titles) {
  try {
    localStorage.setItem(place, JSON.stringify(titles));
  } catch {
    // If the browser cannot store the choice, the choice applies only to this page.
  }
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
