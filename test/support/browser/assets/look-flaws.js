/**
 * Runs in a page. Returns style flaws: style sheets that failed to load, custom properties that are used but never
 * set, and fields and buttons that do not differ enough from their surroundings.
 */
(() => [...new Set([...missingSheets(), ...unsetProperties(), ...controls()])])();

function missingSheets() {
  const links = [...document.querySelectorAll('link[rel="stylesheet"]')];
  return links.filter(({ sheet }) => !sheet?.cssRules.length).map(({ href }) => `${nameOf(href)} is no style sheet`);
}

function unsetProperties() {
  const sheets = [...document.styleSheets].filter(
    ({ href, ownerNode }) => href || ownerNode.matches('[data-mantine-styles]'),
  );
  const ruled = sheets.flatMap(({ href, cssRules }) =>
    [...styleRules(cssRules)].flatMap((rule) => {
      const used = usedProperties(rule.style.cssText);
      return used.length === 0
        ? []
        : unsetOn(matches(rule.selectorText), used, `${href ? nameOf(href) : 'theme'}: ${rule.selectorText}`);
    }),
  );
  const styled = [...document.querySelectorAll('[style]')].flatMap((element) =>
    unsetOn([element], usedProperties(element.getAttribute('style')), describe(element)),
  );
  return [...ruled, ...styled];
}

function unsetOn(elements, used, where) {
  const root = getComputedStyle(document.documentElement);
  return used
    .filter((name) => root.getPropertyValue(name).trim() === '')
    .filter((name) => elements.some((element) => getComputedStyle(element).getPropertyValue(name).trim() === ''))
    .map((name) => `${name} is not set (${where})`);
}

function* styleRules(rules) {
  for (const rule of rules) {
    if (rule.media && !matchMedia(rule.media.mediaText).matches) continue;
    // Rules of a library are skipped, because they leave some properties unset on purpose.
    if (rule instanceof CSSLayerBlockRule) continue;
    if (rule.selectorText !== undefined && rule.style) yield rule;
    if (rule.cssRules) yield* styleRules(rule.cssRules);
  }
}

function usedProperties(text) {
  return [...new Set([...text.matchAll(/var\(\s*(--[\w-]+)\s*\)/g)].map(([, name]) => name))];
}

function matches(selector) {
  const states = 'hover|focus|focus-visible|focus-within|active|visited|target|popover-open|placeholder-shown';
  const stateless = selector
    .replace(new RegExp(`:not\\(\\s*:(?:${states})\\s*\\)`, 'g'), '')
    .replace(/::[\w-]+(?:\([^)]*\))?/g, '')
    .replace(new RegExp(`:(?:${states})(?![\\w-])`, 'g'), '');
  const whole = stateless.replace(/(^|,)\s*(?=,|$)/g, '$1*').replace(/([\s>+~])(?=\s*(?:,|$))/g, '$1*');
  return [...document.querySelectorAll(whole)];
}

function controls() {
  const fields = 'input:not([type="hidden"], [type="submit"]), textarea, select';
  const buttons = 'button:not([role], :disabled), .button, [role="button"], input[type="submit"]';
  return [...flawsOf(fields, 'field', 3), ...flawsOf(buttons, 'button', 1.1)];
}

/** A field needs the contrast of WCAG 1.4.11. A button must only be visible, because its label names its purpose. */
function* flawsOf(selector, kind, minContrast) {
  const controls = [...document.querySelectorAll(selector)].filter(hasLook);
  for (const control of controls) {
    const style = getComputedStyle(control);
    const around = groundOf(control.parentElement);
    const own = Math.max(
      contrast(groundOf(control), around),
      edgeContrast(style, around),
      iconContrast(control, around),
      frameContrast(control),
    );
    if (own < minContrast && !(kind === 'button' && style.textDecorationLine === 'underline'))
      yield `a ${kind} cannot be seen, at ${own.toFixed(2)}:1 (${describe(control)})`;
  }
  for (const control of bareOnes(controls)) yield `a ${kind} looks as the browser has it (${describe(control)})`;
}

/** A checkbox with the browser's own appearance is not checked, because it has the browser's border. */
function hasLook(control) {
  if (!isSeen(control) || control.closest('#reference') || fillsDialog(control)) return false;
  const isBox = control.type === 'checkbox' || control.type === 'radio';
  return !isBox || getComputedStyle(control).appearance !== 'auto';
}

function isSeen(element) {
  const { width, height } = element.getBoundingClientRect();
  return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

function edgeContrast(style, around) {
  const sides = ['Top', 'Right', 'Bottom', 'Left'].map((side) => {
    const isDrawn = style[`border${side}Style`] !== 'none' && parseFloat(style[`border${side}Width`]) > 0;
    return isDrawn ? contrast(painted(around, style[`border${side}Color`]), around) : 1;
  });
  return Math.min(...sides);
}

function frameContrast({ parentElement: frame }) {
  return frame.querySelectorAll('input').length === 1
    ? edgeContrast(getComputedStyle(frame), groundOf(frame.parentElement))
    : 1;
}

/** A search field that fills the first line of its dialog has the border of the dialog. */
function fillsDialog(control) {
  const dialog = control.closest('[role="dialog"]');
  return dialog !== null && control.offsetWidth >= dialog.offsetWidth - 2;
}

/** A button may consist of only an icon, so the contrast of the icon counts. */
function iconContrast(control, around) {
  const icon = control.querySelector('svg');
  return icon ? contrast(painted(around, getComputedStyle(icon).color), around) : 1;
}

/** Must run after the contrast checks, because resetting a colour starts a transition. */
function bareOnes(controls) {
  const styled = controls.map(lookOf);
  const before = controls.map(({ style }) => style.cssText);
  for (const { style } of controls) style.setProperty('all', 'revert', 'important');
  const bare = controls.map(lookOf);
  for (const [index, control] of controls.entries()) {
    // Without this line, the declarations of the element's own style attribute would be lost.
    control.style.cssText = before[index];
    if (before[index] === '') control.removeAttribute('style');
  }
  return controls.filter((_control, index) => styled[index] === bare[index]);
}

function lookOf(control) {
  const { backgroundColor, borderTopColor, borderTopLeftRadius, borderTopStyle } = getComputedStyle(control);
  return [backgroundColor, borderTopColor, borderTopLeftRadius, borderTopStyle].join();
}

function groundOf(element) {
  const above = [];
  for (let at = element; at; at = at.parentElement) above.unshift(getComputedStyle(at).backgroundColor);
  return above.reduce(painted, painted([255, 255, 255], 'Canvas'));
}

/** Reading from a canvas is slow, so results are cached. */
function painted(below, colour) {
  const layers = [`rgb(${below.join(' ')})`, solid(colour)];
  const key = layers.join(' under ');
  painted.known ??= new Map();
  if (!painted.known.has(key)) painted.known.set(key, paint(layers));
  return painted.known.get(key);
}

function paint(layers) {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  for (const layer of layers) {
    canvas.fillStyle = layer;
    canvas.fillRect(0, 0, 1, 1);
  }
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

/** A canvas resolves the names of system colours as in light mode, even when the page is dark. */
function solid(colour) {
  if (colour !== 'Canvas') return colour;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'rgb(18 18 18)' : 'rgb(255 255 255)';
}

function contrast(one, other) {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour) {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function describe(element) {
  return element.cloneNode(false).outerHTML.replace(/\s+/g, ' ').slice(0, 120);
}

function nameOf(href) {
  return new URL(href).pathname;
}
