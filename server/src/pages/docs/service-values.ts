/**
 * The build of the documentation writes a placeholder for each value that depends on the service, such as its URL. The
 * service replaces the placeholders of a text when the text is first requested.
 * See docs/decisions/docs.md, "The pages are made when the project is built".
 */
import type { Context } from '../../context.ts';
import { basePath } from '../../kit/base-path.ts';
import { groupedNumber } from '../../kit/card.ts';
import { escapeHtml, type Html, html } from '../../kit/html.ts';
import { receiverCommand } from '../../kit/receiver-command.ts';
import { htmlTable, markdownTable } from '../../kit/tables.ts';
import { successOf, type TestCard } from '../../processors/port.ts';

/** The placeholder for the URL of the service. No domain on the Internet ends with `.invalid`. */
export const builtForUrl = 'http://address-of-this-service.invalid/path-of-this-service';

export const serviceValueNames = [
  'receiverCommand',
  'deliveryTimeout',
  'retentionDays',
  'retryTimetable',
  'limits',
  'testCard',
  'testCards',
] as const;

export type ServiceValueName = (typeof serviceValueNames)[number];

/** A value as Markdown and as HTML, or a plain text, which is the same in both. */
type ServiceValue = string | { markdown: string; html: Html };

export interface ThisService {
  publicUrl: string;
  values: Record<ServiceValueName, ServiceValue>;
}

/** The placeholder of a table must be a separate paragraph. */
export function placeholderOf(name: ServiceValueName): string {
  return `VALUE_${name}_OF_THIS_SERVICE`;
}

/** The text is Markdown unless `isHtml`. */
export function fill(text: string, { publicUrl, values }: ThisService, isHtml: boolean): string {
  const written = isHtml ? escapeHtml : String;
  const placed = text
    .replaceAll(builtForUrl, () => written(publicUrl))
    .replaceAll(basePath(builtForUrl), () => written(basePath(publicUrl)));
  return serviceValueNames.reduce((filled, name) => {
    const [value, placeholder] = [values[name], placeholderOf(name)];
    if (typeof value === 'string') return filled.replaceAll(placeholder, () => written(value));
    return isHtml
      ? filled.replaceAll(`<p>${placeholder}</p>\n`, () => String(value.html))
      : filled.replaceAll(placeholder, () => value.markdown.trim());
  }, placed);
}

export function thisService({
  config,
  processors,
  publicUrl,
}: Pick<Context, 'config' | 'processors' | 'publicUrl'>): ThisService {
  const { delivery, retentionDays, ratePolicies } = config;
  const testCards = processors.test?.takes === 'card' ? processors.test.testCards : [];
  return {
    publicUrl,
    values: {
      receiverCommand: receiverCommand(publicUrl),
      deliveryTimeout: inWords(delivery.timeoutMs),
      retentionDays: String(retentionDays),
      retryTimetable: retryTimetable(delivery),
      limits: limits(ratePolicies),
      testCard: groupedNumber(testCards[0]?.number ?? ''),
      testCards: cards(testCards),
    },
  };
}

function retryTimetable({
  retryDelaysMs,
  timeoutMs,
}: Pick<Context['config']['delivery'], 'retryDelaysMs' | 'timeoutMs'>): ServiceValue {
  const lead = paragraph(`Each attempt may take ${inWords(timeoutMs)} in all, the answer included.`);
  const rows = [0, ...retryDelaysMs].map((delayMs, index) => [
    `\`X-Service-Attempt: ${index + 1}\``,
    index === 0 ? 'at once' : `${inWords(delayMs)} after attempt ${index} failed`,
    index < retryDelaysMs.length ? `attempt ${index + 2} follows` : 'the delivery is `failed`',
  ]);
  const timetable = table(['Attempt', 'When', 'If it fails'], rows);
  return { markdown: `${lead.markdown}\n\n${timetable.markdown}`, html: html`${lead.html}${timetable.html}` };
}

function limits(policies: Context['config']['ratePolicies']): ServiceValue {
  if (!policies) return paragraph('This server has no limits.');
  const limitNames = { 'Test mode': 'test', 'Live mode': 'live', 'Test events to one endpoint': 'test_event' } as const;
  const rows = Object.entries(limitNames).map(([title, name]) => {
    const { calls, seconds } = policies[name];
    return [title, `${calls.toLocaleString('en')} calls`, `${seconds} seconds`];
  });
  return table(['Whose', 'At most', 'In'], rows);
}

function cards(testCards: readonly TestCard[]): ServiceValue {
  if (testCards.length === 0) return paragraph('This server takes no test cards.');
  const rows = testCards.map((card) => [
    `\`${groupedNumber(card.number)}\``,
    card.brand,
    card.decline ? `Declined: ${card.decline.message}` : successOf(card),
    card.decline?.code ?? '',
  ]);
  return table(['Card', 'Brand', 'What happens', '`failureCode`'], rows);
}

function paragraph(text: string) {
  return { markdown: text, html: html`<p>${text}</p>\n` };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]) {
  const cells = (texts: readonly string[]) => texts.map((text) => ({ text, html: withCode(text) }));
  return { markdown: markdownTable(head, rows), html: htmlTable(cells(head), rows.map(cells)) };
}

function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Formats a duration as `2 hours` or `15 seconds`, in the largest unit in which it is an integer. */
function inWords(ms: number): string {
  const units = { hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 };
  const [unit, size] = Object.entries(units).find(([, length]) => ms >= length && ms % length === 0) ?? [
    'millisecond',
    1,
  ];
  return `${ms / size} ${unit}${ms === size ? '' : 's'}`;
}
