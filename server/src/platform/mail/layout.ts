/**
 * A mail is written once, as blocks. `renderMail` prints each block twice: as plain text, and as MJML, of which `mrml`
 * makes the tables that Gmail, Outlook and Apple Mail show. All texts may contain what a user has typed.
 * See docs/decisions/mail.md, "HTML and plain text are printed from the same blocks, through mrml".
 */
import { Engine } from 'mrml';
import { accentOf, tokenColours } from '../../../look/accent.ts';
import { type Html, html, trusted } from '../../kit/html.ts';

export interface MailDraft {
  subject: string;
  /** The sentence that mail programs show after the subject in the list of mails. */
  preheader: string;
  language: string;
  direction: 'ltr' | 'rtl';
  /** A mail without a brand has the name and the colour of the service. */
  brand: Brand | null;
  blocks: readonly Block[];
  footer: string;
}

export interface Brand {
  name: string;
  /** A URL of this service: a mail must not load an image from elsewhere. */
  logoUrl: string | null;
  /** As `#rrggbb`. */
  colour: string | null;
}

/** A link is as small as small print. */
export type Block =
  | TextBlock
  | { kind: 'rows'; rows: readonly Row[] }
  | { kind: 'button' | 'link'; text: string; url: string };

export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'smallPrint';
  text: string;
}

export interface Row {
  label: string;
  value: string;
  /** An amount stays on one line, because a number that is broken in two is misread. */
  isAmount?: boolean;
  /** The value is bold. */
  isTotal?: boolean;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

interface Printed {
  text: string;
  markup: Html;
}

export function renderMail(mail: MailDraft): RenderedMail {
  const subject = oneLine(mail.subject);
  const printed = [
    printHeader(mail),
    ...mail.blocks.map((block) => printBlock(block, mail)),
    printBlock({ kind: 'smallPrint', text: mail.footer }, mail),
  ];
  return {
    subject,
    text: `${printed.map(({ text }) => text).join('\n\n')}\n`,
    html: toHtml(layout(mail, subject, printed)),
  };
}

interface ServiceMail extends Pick<MailDraft, 'subject' | 'preheader' | 'blocks' | 'footer'> {
  /** Instead of the subject. */
  heading?: string;
}

/** A mail to a user of the dashboard: in English, and with the look of the service. */
export function renderServiceMail({ heading, blocks, ...mail }: ServiceMail): RenderedMail {
  return renderMail({
    ...mail,
    language: 'en',
    direction: 'ltr',
    brand: null,
    blocks: [{ kind: 'heading', text: heading ?? mail.subject }, ...blocks],
  });
}

export function rowsBlock(values: Readonly<Record<string, string>>): Block {
  return { kind: 'rows', rows: Object.entries(values).map(([label, value]) => ({ label, value })) };
}

/**
 * Replaces line breaks and other control characters, which would end a header of the mail, and characters that XML
 * forbids. Removes the characters that would reverse the rest of a line, but not the marks of Arabic amounts. The spaces
 * that keep an amount on one line stay too.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u202a-\u202e]/g, '')
    .replace(/(?:(?![\u00a0\u202f])[\s\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff])+/gu, ' ')
    .trim();
}

const serviceName = 'Tillhook';

function printHeader({ brand, direction }: MailDraft): Printed {
  const name = brand ? oneLine(brand.name) : serviceName;
  const { panel, text } = tokenColours.light;
  // The name is beside the logo, so the logo has an empty alternative text. Many logos are dark on transparent pixels,
  // so in both themes the logo has a light background.
  const logo =
    brand?.logoUrl &&
    html`<td width="1" valign="top"><img src="${attribute(webUrl(brand.logoUrl))}" alt="" height="36" style="display:block;height:36px;width:auto;max-width:160px;padding:4px;border-radius:6px;background:${panel}" /></td><td width="12"></td>`;
  return {
    text: name,
    markup: html`<mj-table font-size="16px" line-height="24px"><tr dir="${direction}">${logo}<td class="text" align="${sides(direction).start}" style="color:${text};font-weight:600"><bdi>${name}</bdi></td></tr></mj-table>`,
  };
}

function printBlock(block: Block, mail: MailDraft): Printed {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'smallPrint':
      return printText(block, mail);
    case 'rows':
      return printRows(block.rows, mail);
    case 'button':
      return printButton(oneLine(block.text), webUrl(block.url), mail);
    case 'link':
      return printLink(oneLine(block.text), webUrl(block.url), mail);
  }
}

// Outlook does not know `inherit`, so each element states its own size.
const textStyles = {
  heading: { element: html`h1`, tone: 'text', font: html`font-size:22px;line-height:30px;font-weight:700` },
  paragraph: { element: html`p`, tone: 'text', font: html`font-size:16px;line-height:24px` },
  smallPrint: { element: html`p`, tone: 'muted', font: html`font-size:13px;line-height:20px` },
} as const;

function printText(block: TextBlock, { direction }: MailDraft): Printed {
  const { element, tone, font } = textStyles[block.kind];
  const text = oneLine(block.text);
  return {
    text,
    markup: html`<mj-text css-class="${tone}" color="${tokenColours.light[tone]}"><${element} dir="${direction}" style="margin:0;${font}">${text}</${element}></mj-text>`,
  };
}

function printRows(typed: readonly Row[], { direction }: MailDraft): Printed {
  const rows = typed.map((row) => ({ ...row, label: oneLine(row.label), value: oneLine(row.value) }));
  const { muted, text, line } = tokenColours.light;
  const cell = trusted(`padding:8px 0;border-top:1px solid ${line}`);
  const { start, end } = sides(direction);
  // Long values break anywhere, and must not press their label into a column of single letters.
  const labelCell = trusted(`${cell};padding-${end}:12px;min-width:80px`);
  return {
    text: rows.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    markup: html`<mj-table>${rows.map(
      ({ label, value, isAmount, isTotal }) =>
        html`<tr dir="${direction}"><td class="muted line" align="${start}" valign="top" style="${labelCell};color:${muted}"><bdi>${label}</bdi></td><td class="text line" align="${end}" valign="top" style="${cell};color:${text}${isAmount && ';white-space:nowrap'}${isTotal && ';font-weight:700'}"><bdi>${value}</bdi></td></tr>`,
    )}</mj-table>`,
  };
}

function printButton(text: string, url: string, mail: MailDraft): Printed {
  const { button, onButton, edge } = accentOf(colourOf(mail), 'light');
  return {
    text: `${text}:\n${url}`,
    markup: html`<mj-button css-class="button" href="${attribute(url)}" background-color="${button}" color="${onButton}" border="1px solid ${edge}">${text}</mj-button>`,
  };
}

function printLink(text: string, url: string, { direction }: MailDraft): Printed {
  const { muted } = tokenColours.light;
  return {
    text: `${text}:\n${url}`,
    markup: html`<mj-text css-class="muted" color="${muted}"><p dir="${direction}" style="margin:0;${textStyles.smallPrint.font}"><a class="muted" href="${attribute(url)}" style="color:${muted}">${text}</a></p></mj-text>`,
  };
}

function layout(mail: MailDraft, subject: string, printed: readonly Printed[]): Html {
  const { language, direction, preheader } = mail;
  const { page, panel } = tokenColours.light;
  const { start } = sides(direction);
  const [header, ...blocks] = printed.map(({ markup }) => markup);
  const footer = blocks.pop();
  return html`<mjml lang="${language}" dir="${direction}">
<mj-head>
<mj-title>${attribute(subject)}</mj-title>
<mj-preview>${oneLine(preheader)}</mj-preview>
<mj-attributes>
<mj-all font-family="-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif" />
<mj-section padding="12px 0" />
<mj-column direction="${direction}" />
<mj-text align="${start}" padding="8px 24px" />
<mj-table font-size="15px" line-height="22px" padding="8px 24px" />
<mj-button align="${start}" border-radius="6px" font-size="16px" font-weight="600" inner-padding="12px 22px" padding="12px 24px" />
</mj-attributes>
<mj-raw><meta name="color-scheme" content="light dark" /><meta name="supported-color-schemes" content="light dark" /></mj-raw>
<mj-style>${darkStyle(mail)}</mj-style>
</mj-head>
<mj-body width="560px" background-color="${page}">
<mj-section direction="${direction}"><mj-column>${header}</mj-column></mj-section>
<mj-section direction="${direction}" css-class="panel" background-color="${panel}" border-radius="10px"><mj-column>${blocks}</mj-column></mj-section>
<mj-section direction="${direction}"><mj-column>${footer}</mj-column></mj-section>
</mj-body>
</mjml>`;
}

/** Mail programs that ignore the query show the light colours, or change them by themselves. */
function darkStyle(mail: MailDraft): Html {
  const { page, panel, text, muted, line } = tokenColours.dark;
  const { edge } = accentOf(colourOf(mail), 'dark');
  return html`:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
body,body>div{background-color:${page}!important}
.panel,.panel>table{background:${panel}!important}
.text,.text div{color:${text}!important}
.muted,.muted div{color:${muted}!important}
.line{border-color:${line}!important}
.button td{border-color:${edge}!important}
}`;
}

function colourOf({ brand }: MailDraft): string {
  return brand?.colour && /^#[0-9a-f]{6}$/i.test(brand.colour) ? brand.colour : tokenColours.light.accent;
}

function sides(direction: MailDraft['direction']) {
  return direction === 'rtl' ? { start: 'right', end: 'left' } : { start: 'left', end: 'right' };
}

/** Checks the scheme of the URL, because a mail program could execute `javascript:` as a script. */
function webUrl(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`A mail must not contain a URL with ${protocol}`);
  return href;
}

/**
 * `mrml` writes attributes as Rust prints strings for debugging, with a backslash before some characters. It leaves
 * character references unchanged. The title becomes an attribute too.
 */
function attribute(text: string): Html {
  return trusted(text.replace(/[^\w ./:-]/gu, (character) => `&#${character.codePointAt(0)};`));
}

const engine = new Engine();
// Without this option a mail that names Roboto loads the font from Google.
engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} });

function toHtml(source: Html): string {
  const result = engine.toHtml(String(source));
  if (result.type === 'error') throw new Error(`mrml refused a mail: ${result.message}`);
  return result.content;
}
