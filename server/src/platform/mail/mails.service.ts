/**
 * A mail is a row that is written in the transaction of the change that it reports, and sent afterwards, at least once.
 * If a process dies between the mail server's answer and its record, the mail is sent again with the same `Message-ID`.
 */
import type { Context, WriteContext } from '../../context.ts';
import { isId, newId } from '../../kit/ids.ts';
import { rowsOutsideTransaction, run } from '../database/statement.ts';
import { Mail, type MailStatus } from './mail.entity.ts';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

export interface NewMail extends MailContent {
  kind: string;
  merchantId: string | null;
  recipient: string;
}

/** Writes nothing when this service has neither a mail server nor the mailbox of a demo. */
export async function writeMail(tx: WriteContext, { kind, merchantId, recipient, ...content }: NewMail): Promise<void> {
  const { mail } = tx.config;
  if (!mail) return;
  const id = newId();
  const messageId = `<${id}@${mail.from.address.split('@')[1]}>`;
  const sealed = tx.sealer.seal(JSON.stringify(content), id);
  await run(tx)`
    insert into mail (id, kind, merchant_id, recipient, message_id, sealed_content, status, created_at)
    values (${id}, ${kind}, ${merchantId}, ${recipient}, ${messageId}, ${sealed}, 'pending', ${tx.clock.now()})`;
  tx.afterCommit(tx.mails.ring);
}

export function contentOf({ sealer }: Pick<Context, 'sealer'>, { id, sealedContent }: Mail): MailContent {
  return JSON.parse(sealer.open(sealedContent, id));
}

export function listMails({ em }: Context, { status, limit }: { status?: MailStatus; limit: number }): Promise<Mail[]> {
  return em.find(Mail, { ...(status && { status }) }, { orderBy: { id: 'desc' }, limit });
}

export async function findMail({ em }: Context, id: string): Promise<Mail | null> {
  return isId(id) ? em.findOne(Mail, { id }) : null;
}

/** Sends a mail again that was refused or has failed. Returns false if there is no such mail. */
export async function retryMail(tx: WriteContext, id: string): Promise<boolean> {
  const retried = await run(tx)`
    update mail set status = 'pending', tries = 0, ended_at = null, next_check_at = now()
    where id = ${id} and status in ('refused', 'failed')`;
  return retried === 1;
}

/** Makes no query when this service writes no mails. */
export async function oldestDueMailSeconds(context: Context): Promise<number> {
  if (!context.config.mail) return 0;
  const [oldest] = await rowsOutsideTransaction<{ seconds: number }>(context)`
    select extract(epoch from now() - next_check_at)::float8 as seconds from mail
    where next_check_at <= now() order by next_check_at limit 1`;
  return Math.max(0, oldest?.seconds ?? 0);
}
