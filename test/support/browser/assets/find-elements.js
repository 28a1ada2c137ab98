// Finds visible elements by the name that people read. Runs in a page, before each expression of a test.

globalThis.person = { find, nameOf, whatIsShown, placeOf };

function find(selector, name) {
  return [...document.querySelectorAll(selector)].filter(
    (element) => isSeen(element) && (name === undefined || nameOf(element) === name),
  );
}

function isSeen(element) {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
}

function nameOf(element) {
  const text = element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent;
  return text.trim().replace(/\s+/g, ' ').replace(/ \*$/, '');
}

/** If nothing matches, returns the names of visible elements that the test may have meant. */
function whatIsShown(selector, name) {
  if (find(selector, name).length > 0) return 'it';
  const others = find(selector).map(nameOf).slice(0, 10);
  return others.length > 0 ? `others: ${others.join(' | ')}` : `nothing on ${document.title}`;
}

function placeOf(selector, name) {
  // Firefox may ignore a click on a page that it has not painted yet.
  if (document.readyState !== 'complete') return 'the page is still loading';
  const [element] = find(selector, name);
  if (!element) return whatIsShown(selector, name);
  const [box] = element.getClientRects();
  const [x, y] = [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    return 'it was outside the window';
  }
  const met = document.elementFromPoint(x, y);
  const isMet = element.contains(met) || [...(element.labels ?? [])].some((label) => label.contains(met));
  if (!isMet) return `it is covered by ${met?.outerHTML.slice(0, 200)}`;
  const stands = `${x} ${y}`;
  if (element.stoodAt !== stands) {
    element.stoodAt = stands;
    return 'it may be moving';
  }
  return [x, y];
}
