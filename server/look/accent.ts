/**
 * Makes a merchant's colour readable. A merchant may choose any colour. Text on a background of this colour is white
 * or black, whichever has more contrast. Where the colour itself is used for text, an edge or a focus ring, it is
 * darkened in the light theme and lightened in the dark theme until its contrast is sufficient. The checkout page and
 * its preview in the dashboard use the same colours. The minimum contrasts are those of WCAG 2.2 AA.
 * See docs/decisions/checkout-page.md, "Any colour is accepted, and made readable".
 */
import {
  clampChroma,
  converter,
  formatHex,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeRgb,
  useMode,
  wcagContrast,
} from 'culori/fn';

useMode(modeRgb);
useMode(modeLrgb);
useMode(modeOklab);
useMode(modeOklch);
const toOklch = converter('oklch');

const minTextContrast = 4.5;
const minEdgeContrast = 3;
const lightnessStep = 0.01;
/** The step by which a button becomes lighter or darker under the pointer. */
const hoverStep = 0.06;

export type Theme = 'light' | 'dark';

/** Colours of `tokens.css` from which other colours are computed. A test compares them with that file. */
export const tokenColours: Record<Theme, Record<'page' | 'panel' | 'text' | 'accent', string>> = {
  light: { page: '#f5f6f8', panel: '#ffffff', text: '#14181f', accent: '#0b6450' },
  dark: { page: '#0f1216', panel: '#181c22', text: '#eceff3', accent: '#5fd3ae' },
};

/** The colours that are derived from a merchant's colour, as `#rrggbb`. */
export interface Accent {
  /** The background of a button, which is the merchant's colour, and its background under the pointer. */
  button: string;
  buttonHover: string;
  onButton: string;
  /** The colours of links, icons and the focus ring, and the colour of a link under the pointer. */
  text: string;
  textHover: string;
  /** The colour of the button's edge: the button's own colour where its contrast with the panel is sufficient. */
  edge: string;
}

export function accentOf(colour: string, theme: Theme): Accent {
  const button = formatHex(colour) ?? colour;
  const onButton = wcagContrast(button, '#ffffff') >= minTextContrast ? '#ffffff' : '#000000';
  const away = theme === 'light' ? -1 : 1;
  const text = readable(button, minTextContrast, theme);
  return {
    button,
    buttonHover: hoverOf(button, onButton),
    onButton,
    text,
    textHover: moved(text, away * hoverStep),
    edge: readable(button, minEdgeContrast, theme),
  };
}

/** Returns the nearest colour of the same hue that has this contrast with the backgrounds of the theme. */
function readable(colour: string, minContrast: number, theme: Theme): string {
  const step = theme === 'light' ? -lightnessStep : lightnessStep;
  const { page, panel } = tokenColours[theme];
  const isReadable = (shown: string) => [page, panel].every((behind) => wcagContrast(shown, behind) >= minContrast);
  for (let shift = 0; Math.abs(shift) <= 1; shift += step) {
    const shown = shift === 0 ? colour : moved(colour, shift);
    if (isReadable(shown)) return shown;
  }
  return theme === 'light' ? '#000000' : '#ffffff';
}

/**
 * Makes the button's colour differ more from the colour of its text, so that the text stays readable. Black and white
 * can only move towards that colour.
 */
function hoverOf(button: string, onButton: string): string {
  const step = onButton === '#ffffff' ? -hoverStep : hoverStep;
  const away = moved(button, step);
  return wcagContrast(away, button) > 1.05 ? away : moved(button, -3 * step);
}

function moved(colour: string, shift: number): string {
  const { l = 0, c = 0, h } = toOklch(colour) ?? {};
  return formatHex(clampChroma({ mode: 'oklch', l: Math.min(Math.max(l + shift, 0), 1), c, h }, 'oklch'));
}
