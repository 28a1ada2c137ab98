/**
 * Runs in a page. Returns points where a click hits a link that is elsewhere on the page: a row's link may cover its
 * row, but nothing else.
 */
(() => {
  const step = 24;
  const found = new Set();
  for (let y = step / 2; y < innerHeight; y += step) {
    for (let x = step / 2; x < innerWidth; x += step) {
      const link = document.elementFromPoint(x, y)?.closest('a');
      if (!link || [link, link.parentElement, link.closest('tr')].some((place) => holds(place, x, y))) continue;
      found.add(`a click at ${x}, ${y} meets the link “${link.textContent}”, which is elsewhere`);
    }
  }
  // Beside the text of the first cell, a click must hit the link of the same row.
  for (const row of document.querySelectorAll('tbody tr:has(> td:first-child a)')) {
    const { left, bottom, top } = row.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight || left < 0) continue;
    const met = document.elementFromPoint(left + 3, bottom - 3);
    if (document.querySelector('[role=dialog]') || !met || row.querySelector('a') === met.closest('a')) continue;
    found.add(`a click in the row of “${row.querySelector('a').textContent}” meets ${met.outerHTML.slice(0, 100)}`);
  }
  return [...found].slice(0, 10);

  function holds(place, x, y) {
    if (!place) return false;
    return [place, ...place.children].some((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      // The edge of a row may lie between two pixels, so one pixel of tolerance is needed.
      return x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;
    });
  }
})();
