import type { Context, WriteContext } from '../../context.ts';
import { claimDue, rowsOutsideTransaction, run } from '../database/statement.ts';
import { claimInBatches, inTransaction } from '../database/transaction.ts';
import { Mail } from './mail.entity.ts';
import { contentOf, type MailRenderers } from './mails.service.ts';
import { failedBy, type MailOutcome, type MailSender } from './smtp.ts';

const batchSize = 20;
/** Longer than a try takes, so that two processes do not send the same mail at once. */
const leaseSeconds = 120;
/** The pauses between the tries of a mail. After the last pause, two days after the first try, the mail fails. */
const pauseMinutes = [1, 5, 15, 60, 180, 360, 720, 1440];
/** An address that was refused rests for this time. */
export const restDays = 7;

/** What the sending of a mail needs besides the context. */
export interface MailMeans {
  sender: MailSender;
  renderers: MailRenderers;
}

export function sendMails(context: Context, means: MailMeans): Promise<void> {
  return claimInBatches(context, {
    claim: (tx) => claimDue(tx, Mail, { limit: batchSize, leaseSeconds }),
    batchSize,
    work: (own, mail) => sendMail(own, means, mail),
  });
}

async function sendMail(context: Context, means: MailMeans, mail: Mail): Promise<void> {
  try {
    const outcome = await tryMail(context, means, mail);
    await inTransaction(context, (tx) => record(tx, mail, outcome));
  } catch (error) {
    // The other mails of the batch must still be sent. This mail is due again when its lease ends.
    context.metrics.mails.inc({ result: 'retried' });
    context.log.error({ err: error, mailId: mail.id }, 'Failed to send a mail');
  }
}

async function tryMail(context: Context, { sender, renderers }: MailMeans, mail: Mail): Promise<Ending> {
  if (await isResting(context, mail)) return resting;
  try {
    const content = await contentOf(context, renderers, mail);
    return content ? await sender.send({ ...mail, ...content }) : unneeded;
  } catch (error) {
    return failedBy(error);
  }
}

type Ending = MailOutcome | { result: 'dropped'; answer: string };

const unneeded: Ending = { result: 'dropped', answer: 'The mail is no longer needed' };

const resting: MailOutcome = {
  result: 'refused',
  answer: `The address refused another mail in the last ${restDays} days`,
};

/** Mail servers distrust a sender that writes again and again to addresses that do not exist. */
async function isResting(context: Context, { recipient, id }: Mail): Promise<boolean> {
  const refused = await rowsOutsideTransaction<{ id: string }>(context)`
    select id from mail
    where recipient = ${recipient} and status = 'refused' and ended_at > now() - make_interval(days => ${restDays})
      and tries > 0 and id <> ${id}
    limit 1`;
  return refused.length > 0;
}

async function record(tx: WriteContext, { id, kind, tries }: Mail, { result, answer }: Ending): Promise<void> {
  const pause = result === 'failed' ? pauseMinutes[tries] : undefined;
  const status = pause === undefined ? result : 'pending';
  const isTry = result !== 'dropped' && answer !== resting.answer;
  const changed = await run(tx)`
    update mail set status = ${status}, tries = tries + ${Number(isTry)}, last_answer = ${answer},
      ended_at = ${pause === undefined ? tx.clock.now() : null},
      next_check_at = now() + make_interval(mins => ${pause ?? null}::int)
    where id = ${id} and status = 'pending'`;
  if (changed > 0) tx.afterCommit(() => tx.metrics.mails.inc({ result: status === 'pending' ? 'retried' : status }));
  if (status === 'pending' || status === 'refused' || status === 'failed')
    tx.log.warn({ mailId: id, kind, status, answer }, 'A mail was not accepted by the mail server');
}
