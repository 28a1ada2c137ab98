/**
 * While the browser loads the script that renders the dashboard, this small script requests the session and the
 * figures of Home.
 * See docs/decisions/dashboard.md, "The first load is three scripts".
 */
import '@mantine/core/styles.layer.css';
import '@mantine/charts/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '../../../look/tokens.css';
import '../../../look/bar.css';
import './global.css';
import './link-token.ts';
import { requestAhead } from './request-ahead.ts';

// If an early import of a script fails, the router imports the script of the page again.
requestAhead({
  loadSignIn: () => void import('../sign-in/sign-in.page.tsx').catch(() => undefined),
  loadHome: () => void import('../home/home.page.tsx').catch(() => undefined),
});
// The browser's back button may restore this page from its cache, with data of a session that has ended since.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  document.body.replaceChildren();
  location.reload();
});
import('./start.tsx').catch(() => {
  const failure = document.createElement('p');
  failure.role = 'alert';
  failure.textContent = 'The dashboard could not be loaded. Check your connection, then reload the page.';
  document.body.prepend(failure);
});
