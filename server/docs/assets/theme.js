// No module, so that it runs before the first paint. Without it, the pages have the theme of the device.
{
  const place = 'tillhook-theme';
  const root = document.documentElement;
  const onDark = '(prefers-color-scheme: dark)';

  show(stored());
  document.addEventListener('readystatechange', offerChoice, { once: true });
  // Another tab has stored a theme, or the browser shows a page again that it kept.
  window.addEventListener('storage', ({ key }) => key === place && show(stored()));
  window.addEventListener('pageshow', ({ persisted }) => persisted && show(stored()));

  function stored() {
    try {
      return localStorage.getItem(place);
    } catch {
      return root.dataset.theme;
    }
  }

  function show(wanted) {
    const theme = wanted === 'light' || wanted === 'dark' ? wanted : 'auto';
    root.dataset.theme = theme;
    for (const source of document.querySelectorAll('source[data-dark]')) {
      source.media = { auto: onDark, light: 'not all', dark: 'all' }[theme];
    }
    // Some browsers show a drawing in the theme of the device, so the drawing reads the theme from its URL.
    for (const part of document.querySelectorAll('picture[data-themes] > *')) {
      const name = part.matches('source') ? 'srcset' : 'src';
      const address = part.getAttribute(name);
      const themed = address.replace(/#.*|$/, theme === 'auto' ? '' : `#${theme}`);
      if (themed !== address) part.setAttribute(name, themed);
    }
    for (const radio of document.querySelectorAll('#theme input')) radio.checked = radio.value === theme;
  }

  function offerChoice() {
    show(root.dataset.theme);
    document.getElementById('theme')?.addEventListener('change', ({ target }) => {
      try {
        localStorage.setItem(place, target.value);
        // The dashboard keeps a theme that is not the user's.
        localStorage.removeItem('tillhook-theme-of');
      } catch {
        // If the browser cannot store the choice, the choice applies only to this page.
      }
      show(target.value);
    });
  }
}
