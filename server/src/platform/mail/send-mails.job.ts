import type { Context, WriteContext } from '../../context.ts';
import { claimDue, rowsOutsideTransaction, run } from '../database/statement.ts';
import { claimInBatches, inTransaction } from '../database/transaction.ts';
import { Mail } from './mail.entity.ts';
import { contentOf, type MailRenderers } from './mails.service.ts';
import { type MailOutcome, type MailSender, mailConnections, shortened } from './smtp.ts';

/** A try ends after this time, whatever the mail server does. */
const trySeconds = 60;
/** The pauses between the tries of a mail. After the last pause, two days after the first try, the mail fails. */
const pauseMinutes = [1, 5, 15, 60, 180, 360, 720, 1440];
/** An address that was refused rests for this time. */
const restDays = 7;
const maxAddressLength = 254;

/** What the sending of mails needs besides the context. */
export interface MailMeans {
  sender: MailSender;
  renderers: MailRenderers;
  /** A test may end tries sooner. */
  tryMs?: number;
  /** Aborts when the process stops: then no further mail is claimed. */
  stop?: AbortSignal;
}

/** Each sender has one mail at a time and a connection for it, so a mail server that is silent delays no other mail. */
export const mailSenders = mailConnections;

/** Sends mails one after the other, until none is due. */
export function sendMails(context: Context, means: MailMeans): Promise<void> {
  const { tryMs = trySeconds * 1000, stop } = means;
  // Longer than a try and the record of its result, so that two processes do not send the same mail at once.
  // See docs/decisions/mail.md, "A mail is sent at least once".
  const leaseSeconds = (2 * tryMs) / 1000;
  return claimInBatches(context, {
    claim: async (tx) => (stop?.aborted ? [] : claimDue(tx, Mail, { limit: 1, leaseSeconds })),
    batchSize: 1,
    work: (own, mail) => sendMail(own, means, { mail, signal: AbortSignal.timeout(tryMs) }),
  });
}

interface Try {
  mail: Mail;
  signal: AbortSignal;
}

async function sendMail(context: Context, means: MailMeans, { mail, signal }: Try): Promise<void> {
  try {
    const outcome = await tryMail(context, means, { mail, signal });
    await inTransaction(context, (tx) => record(tx, mail, outcome));
  } catch (error) {
    // The other mails must still be sent. This mail is due again when its lease ends.
    context.metrics.mails.inc({ result: 'blocked' });
    context.log.error({ err: error, mailId: mail.id }, 'Failed to send a mail');
  }
}

interface Outcome {
  result: MailOutcome['result'] | 'unrendered' | 'dropped';
  answer: string;
  /** If true, the address rests for some days. A text that a filter refuses must not silence other senders' mails. */
  isAddressRefused?: boolean;
}

async function tryMail(context: Context, { sender, renderers }: MailMeans, { mail, signal }: Try): Promise<Outcome> {
  const reason = isAddress(mail.recipient) ? await restOf(context, mail) : noAddress;
  if (reason) return { result: 'refused', answer: reason };
  try {
    const content = await contentOf(context, renderers, mail);
    if (!content) return { result: 'dropped', answer: 'The mail is no longer needed' };
    return await sender.send({ ...mail, ...content }, signal);
  } catch (error) {
    context.log.error({ err: error, mailId: mail.id, kind: mail.kind }, 'Failed to render a mail');
    return { result: 'unrendered', answer: shortened(error instanceof Error ? error.message : String(error)) };
  }
}

const noAddress = `The recipient is no email address of at most ${maxAddressLength} characters`;

/** Accepts any address that a mail server might know, but none that would be read as several addresses. */
function isAddress(text: string): boolean {
  return text.length <= maxAddressLength && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text);
}

/** Mail servers distrust a sender that writes again and again to addresses that do not exist. */
async function restOf(context: Context, { recipient }: Mail): Promise<string | undefined> {
  const refused = await rowsOutsideTransaction(context)`
    select from mail where recipient = ${recipient} and rests_until > now() limit 1`;
  return refused.length > 0 ? `The address refused another mail in the last ${restDays} days` : undefined;
}

const ends = ['sent', 'refused', 'dropped'] as const;

async function record(tx: WriteContext, { id, kind, tries }: Mail, outcome: Outcome): Promise<void> {
  const { result, answer, isAddressRefused = false } = outcome;
  const end = ends.find((status) => status === result);
  const pause = end ? undefined : pauseMinutes[tries];
  const status = end ?? (pause === undefined ? 'failed' : 'pending');
  const changed = await run(tx)`
    update mail set status = ${status}, tries = tries + 1, last_answer = ${answer},
      ended_at = ${pause === undefined ? tx.clock.now() : null},
      next_check_at = now() + make_interval(mins => ${pause ?? null}::int),
      rests_until = ${isAddressRefused ? restDays : null}::int * interval '1 day' + now()
    where id = ${id} and status = 'pending'`;
  if (changed > 0) tx.afterCommit(() => tx.metrics.mails.inc({ result: status === 'pending' ? result : status }));
  if (status !== 'sent' && status !== 'dropped')
    tx.log.warn({ mailId: id, kind, status, answer }, 'A mail was not sent');
}
