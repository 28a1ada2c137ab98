/** Copies the colours of `server/look/tokens.css`, which is not in the published package; a test finds differences. */
import { createHash } from 'node:crypto';

export const style = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8;
  --panel: #ffffff;
  --text: #14181f;
  --muted: #565e6c;
  --line: #e2e5ea;
  --field-line: #858d9b;
  --accent: #0b6450;
  --accent-hover: #084c3d;
  --on-accent: #ffffff;
  --good: #0b6450;
  --good-soft: #e3f3ee;
  --bad: #b3261e;
  --bad-soft: #fdeceb;
  --warn: #6b4a00;
  --warn-soft: #fff3d1;
  --warn-line: #ecd394;
  --shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 8px 24px rgb(16 24 40 / 6%);
  --sans: -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1216;
    --panel: #181c22;
    --text: #eceff3;
    --muted: #a5adba;
    --line: #2b313a;
    --field-line: #727b89;
    --accent: #5fd3ae;
    --accent-hover: #85e2c4;
    --on-accent: #04231a;
    --good: #5fd3ae;
    --good-soft: #17342b;
    --bad: #ff9d95;
    --bad-soft: #3a1c1b;
    --warn: #ffdc8f;
    --warn-soft: #2f2610;
    --warn-line: #574718;
    --shadow: 0 0 0 1px #242a32;
  }
}
* { box-sizing: border-box; }
body { display: flex; flex-direction: column; align-items: center; min-height: 100svh; margin: 0; background: var(--page);
  color: var(--text); font: 1rem / 1.5 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1, p, ul, dl, dd { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { font-size: 1.25rem; line-height: 1.3; }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 10px; }
header { width: 100%; padding: 0.5rem 1rem; border-bottom: 1px solid var(--warn-line); background: var(--warn-soft);
  color: var(--warn); font-size: 0.875rem; text-align: center; }
main { width: calc(100% - 2rem); max-width: 28rem; margin: clamp(1rem, 6vh, 4rem) 0 2rem; padding: 1.5rem;
  border-radius: 16px; background: var(--panel); box-shadow: var(--shadow); }
main.wide { max-width: 46rem; }
.merchant { font-weight: 600; }
.amount { margin-top: 0.5rem; font-size: clamp(1.5rem, 8vw, 2.5rem); font-weight: 700; line-height: 1.2; }
.lines { margin-top: 1rem; border-top: 1px solid var(--line); padding-top: 0.5rem; font-size: 0.9375rem; }
.lines li, .lines div { display: flex; flex-wrap: wrap; gap: 0 1.25rem; justify-content: space-between; padding: 0.375rem 0; }
.lines dt, .muted { color: var(--muted); }
.muted { font-size: 0.875rem; }
.badge { display: inline-block; margin-bottom: 0.75rem; padding: 0.25rem 0.75rem; border-radius: 1rem; font-size: 0.875rem;
  font-weight: 600; background: var(--warn-soft); color: var(--warn); }
.good { background: var(--good-soft); color: var(--good); }
.bad, .notice { background: var(--bad-soft); color: var(--bad); }
.notice { margin: 1rem 0; padding: 0.75rem 1rem; border-radius: 8px; font-size: 0.9375rem; }
form, .actions { display: grid; gap: 0.75rem; margin-top: 1.5rem; }
button, .button { display: block; width: 100%; min-height: 3rem; padding: 0.625rem 1.25rem; border: 1px solid var(--field-line);
  border-radius: 10px; background: transparent; color: inherit; font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; }
button:hover, .button:hover { border-color: var(--text); }
.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.primary:hover { background: var(--accent-hover); }
label { display: grid; gap: 0.375rem; font-size: 0.9375rem; font-weight: 500; }
input { min-height: 3rem; padding: 0.625rem 0.875rem; border: 1px solid var(--field-line); border-radius: 10px;
  background: var(--panel); color: inherit; font: inherit; }
dl.codes dt { margin-top: 1rem; font-weight: 600; }
dl.codes dt:target { color: var(--accent); }
@media (forced-colors: active) { main, .badge, .notice { border: 1px solid; } }
`;

/** Headers that forbid the page to load resources or run scripts, and other pages to show it in a frame. */
export const pageHeaders: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};
