/** What a mail says about one notification or several of the same kind. */
import { formatOwnMoment, type OwnFormats, ownLocale } from '../../kit/locale.ts';
import type { Mode } from '../../kit/mode.ts';
import { formatAmount } from '../../kit/money.ts';
import type { NotificationKind } from '../../kit/notification-kinds.ts';
import type { Row } from '../../platform/mail/layout.ts';
import type { MoneyDetails, Notification } from './notify.service.ts';

export interface NotificationWords {
  subject: string;
  paragraphs: readonly string[];
  /** A list of rows for each notification. A row without a value is left out. */
  tables: readonly (readonly (Row | null)[])[];
  advice: readonly string[];
  /** The path is below the pages of the mode in the dashboard. */
  button: { text: string; path: string };
}

export type DetailsOf<Kind extends NotificationKind> = (Notification & { kind: Kind })['details'];

/** `all` has at least one element. `count` may be larger, because a mail shows only the first notifications. */
interface Told<Details> {
  first: Details;
  all: readonly Details[];
  count: number;
  mode: Mode;
  /** How the person who gets the mail reads dates and numbers. */
  formats: OwnFormats;
}

export function wordsOf<Kind extends NotificationKind>(
  kind: Kind,
  told: Omit<Told<DetailsOf<Kind>>, 'first'>,
): NotificationWords {
  const [first] = told.all;
  if (!first) throw new Error(`A mail of the kind ${kind} has no notification.`);
  return words[kind]({ ...told, first });
}

const words: { [Kind in NotificationKind]: (told: Told<DetailsOf<Kind>>) => NotificationWords } = {
  endpoint_failing: ({ first, all, count, formats }) => ({
    subject: count === 1 ? `Webhooks to ${hostOf(first)} fail` : `Webhooks to ${count} endpoints fail`,
    paragraphs: [
      count === 1
        ? 'For an hour, this endpoint has accepted no webhook.'
        : 'For an hour, these endpoints have accepted no webhook.',
    ],
    tables: all.map((each) => [endpointRow(each), row('Failing since', moment(each.since, formats))]),
    advice: [
      'Each webhook is tried again, with growing pauses. An endpoint that accepts no webhook for 72 hours is switched off.',
      'In the dashboard, a failed delivery shows what the endpoint answered.',
    ],
    button: endpointButton(first, count),
  }),

  endpoint_disabled: ({ first, all, count }) => ({
    subject:
      count === 1 ? `Webhooks to ${hostOf(first)} are switched off` : `Webhooks to ${count} endpoints are switched off`,
    paragraphs: [
      count === 1
        ? 'This endpoint gets no more webhooks until you resume it.'
        : 'These endpoints get no more webhooks until you resume them.',
    ],
    tables: all.map((each) => [endpointRow(each), row('Reason', disabledReasons[each.reason])]),
    advice: [
      'Repair the receiver. Then open the page of the endpoint, send a test event, resume the endpoint, and replay what it missed.',
    ],
    button: endpointButton(first, count),
  }),

  endpoint_well: ({ first, all, count }) => ({
    subject: count === 1 ? `Webhooks to ${hostOf(first)} arrive again` : `Webhooks to ${count} endpoints arrive again`,
    paragraphs: [count === 1 ? 'This endpoint accepts webhooks again.' : 'These endpoints accept webhooks again.'],
    tables: all.map((each) => [endpointRow(each)]),
    advice: [
      'Webhooks whose last attempt failed are not sent again by themselves: replay them on the page of the endpoint.',
    ],
    button: endpointButton(first, count),
  }),

  api_key: ({ first: { event }, all, count }) => ({
    subject:
      count === 1
        ? `An API key was ${keyEvents[event].verb}`
        : `${count} API keys were ${keyEvents[event].verb.replace('its', 'their')}`,
    paragraphs: [keyEvents[event].text],
    tables: all.map(({ key, name, by }) => [row('Key', key), row('Name', name), row('By', by)]),
    advice: [keyEvents[event].advice],
    button: { text: 'Open the API keys', path: '/developers' },
  }),

  payment_review: ({ first: { reference }, all, count, formats }) => ({
    subject: count === 1 ? `Payment ${reference} is under review` : `${count} payments are under review`,
    paragraphs: ['An operator of this service decides what happens next. You do not have to do anything.'],
    tables: all.map((each) => [...moneyRows('Payment', each, formats), row('Reason', reviewReasons[each.reason])]),
    advice: ['Deliver nothing before the payment is completed.'],
    button: moneyButton('payment', reference, count),
  }),

  dispute: ({ first: { reference, event }, all, count, formats }) => ({
    subject:
      count === 1 ? disputeEvents[event].subject(reference) : `${disputeEvents[event].several} (${count} payments)`,
    paragraphs: [disputeEvents[event].text],
    tables: all.map((each) => [
      ...moneyRows('Payment', each, formats),
      row('Evidence until', each.dueAt && moment(each.dueAt, formats)),
    ]),
    advice: disputeEvents[event].advice,
    button: moneyButton('payment', reference, count),
  }),

  transfer_failed: ({ first: { reference, event }, all, count, formats }) => ({
    subject: `${count === 1 ? `Transfer ${reference}` : `${count} transfers`} ${event === 'failed' ? 'failed' : 'came back'}`,
    paragraphs: [
      event === 'failed'
        ? 'The money did not leave, and is in the Transfer wallet again.'
        : 'The bank of the recipient sent the money back. It is in the Transfer wallet again.',
    ],
    tables: all.map((each) => [
      ...moneyRows('Transfer', each, formats),
      row('Recipient', each.recipient),
      row('Reason', each.reason),
    ]),
    advice: ['The service does not try again. Check the account of the recipient, and make a new transfer.'],
    button: moneyButton('transfer', reference, count),
  }),

  processor_silent: ({ first: { event, processor, since, reason }, formats }) => {
    const name = processor.charAt(0).toUpperCase() + processor.slice(1);
    const isSilent = event === 'silent';
    return {
      subject: isSilent ? `${name} does not answer` : `${name} answers again`,
      paragraphs: [
        isSilent
          ? 'For five minutes, every call to the payment processor of live mode has failed.'
          : 'Calls to the payment processor of live mode no longer fail.',
      ],
      tables: [
        [
          row('Processor', name),
          row('Silent since', moment(since, formats)),
          row('Last error', isSilent ? reason : null),
        ],
      ],
      advice: isSilent
        ? [
            'Customers cannot pay, and refunds wait. No payment is lost: each open payment and refund is asked about again.',
            'Look at the status page of the processor, at the network, and at the secret key in the settings.',
          ]
        : ['Open payments and refunds are settled within a quarter of an hour.'],
      button: { text: 'Open the dashboard', path: '' },
    };
  },
};

const disabledReasons = {
  endpoint_gone: 'The endpoint answered 410 Gone',
  repeated_failures: 'It accepted no webhook for 72 hours',
};

/** The sentences are right for one key and for several. */
const keyEvents = {
  created: {
    verb: 'created',
    text: 'Programs that have a new key can call the API.',
    advice: 'If nobody in your team created a key, revoke it and look at the audit log.',
  },
  rolled: {
    verb: 'rolled',
    text: 'A rolled key has a successor, and works for a while longer.',
    advice: 'If nobody in your team rolled a key, revoke it and its successor, and look at the audit log.',
  },
  revoked: {
    verb: 'revoked',
    text: 'Calls with a revoked key are refused from now on.',
    advice: 'If nobody in your team did this, look at the audit log.',
  },
  used_after_end: {
    verb: 'used after its end',
    text: 'A program called the API with a key that was revoked or has expired. Such calls are refused.',
    advice: 'If the program is yours, give it a new key. If you do not know the program, somebody else has the key.',
  },
};

const reviewReasons = {
  amount_mismatch: 'Another amount was paid than was asked for',
  paid_late: 'A bank transfer came after the payment had ended',
  paid_twice: 'The customer has paid twice',
  refund_without_funds: 'A refund was made at the processor, and the wallet has too little money for it',
};

const howToAnswer =
  'Send the evidence, such as a proof of delivery, at the payment processor. If you have no account there, send it to the operator of this service.';

const disputeEvents = {
  opened: {
    subject: (reference: string) => `Payment ${reference} is disputed`,
    several: 'Payments are disputed',
    text: 'In a dispute, a customer asks the bank for the money back. Without evidence, the customer gets it.',
    advice: [howToAnswer],
  },
  deadline: {
    subject: (reference: string) => `Evidence about payment ${reference} is due soon`,
    several: 'Evidence is due soon',
    text: 'The bank has got no evidence yet. After the deadline it gives the money back to the customer.',
    advice: [howToAnswer],
  },
  won: {
    subject: (reference: string) => `The dispute about payment ${reference} was won`,
    several: 'Disputes were won',
    text: 'The bank decided for you.',
    advice: [],
  },
  lost: {
    subject: (reference: string) => `The dispute about payment ${reference} was lost`,
    several: 'Disputes were lost',
    text: 'The bank decided for the customer, who gets the money back.',
    advice: [],
  },
  undecided: {
    subject: (reference: string) => `The dispute about payment ${reference} was closed`,
    several: 'Disputes were closed',
    text: 'The bank made no decision.',
    advice: [],
  },
};

const moment = (at: string, formats: OwnFormats): string => formatOwnMoment(new Date(at), formats);

const row = (label: string, value: string | null): Row | null => (value ? { label, value } : null);

/** The query of a URL is left out, because some merchants put a secret into it. */
function endpointRow({ url }: { url: string }): Row {
  const { origin, pathname } = new URL(url);
  return { label: 'Endpoint', value: `${origin}${pathname}` };
}

const hostOf = ({ url }: { url: string }): string => new URL(url).host;

function endpointButton({ id }: { id: string }, count: number): NotificationWords['button'] {
  return count === 1
    ? { text: 'Open the endpoint', path: `/webhooks/${id}` }
    : { text: 'Open the endpoints', path: '/webhooks' };
}

function moneyRows(label: string, { reference, amount, currency }: MoneyDetails, formats: OwnFormats) {
  const value = formatAmount(amount, currency, ownLocale(formats));
  return [row(label, reference), { label: 'Amount', value, isAmount: true }];
}

function moneyButton(noun: 'payment' | 'transfer', reference: string, count: number): NotificationWords['button'] {
  return count === 1
    ? { text: `Open the ${noun}`, path: `/${noun}s/${encodeURIComponent(reference)}` }
    : { text: `Open the ${noun}s`, path: `/${noun}s` };
}
