/**
 * A mail is a row that is written in the transaction of the change that it reports, and sent afterwards, at least once.
 * If a process dies between the mail server's answer and its record, the mail is sent again with the same `Message-ID`.
 * It is rendered when it is sent, so that the transaction takes no longer than it must.
 * See docs/decisions/mail.md, "A mail is a kind and values until it is sent".
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context, WriteContext } from '../../context.ts';
import { isId, newId } from '../../kit/ids.ts';
import { rowsOutsideTransaction, run } from '../database/statement.ts';
import type { RenderedMail } from './layout.ts';
import { Mail, type MailStatus } from './mail.entity.ts';

export interface MailContent extends RenderedMail {
  /** The name that the mail shows as its sender; without it, the name of `MAIL_FROM`. */
  senderName?: string;
  replyTo?: string;
  /** A URL that switches mails of this kind off at a POST, without a further question. */
  unsubscribeUrl?: string;
}

export interface NewMail {
  kind: string;
  merchantId: string | null;
  recipient: string;
  values: object;
}

/**
 * Renders the mails of a kind, from values that the same wing wrote. Null means that the mail is no longer needed.
 * The mailbox of a demo renders a mail whenever it shows the mail, so a renderer changes nothing.
 */
export type MailRenderer = (context: Context, values: never, mail: Mail) => Promise<MailContent | null>;

export type MailRenderers = Readonly<Record<string, MailRenderer>>;

/** Writes nothing when this service has neither a mail server nor the mailbox of a demo. */
export async function writeMail(tx: WriteContext, mail: NewMail): Promise<void> {
  const insertion = mailInsertion(tx, mail);
  if (insertion) await run(tx)`${insertion}`;
}

/** Becomes a part of another statement of the caller, which saves a round trip. */
export function mailInsertion(
  tx: WriteContext,
  { kind, merchantId, recipient, values }: NewMail,
): RawBuilder<unknown> | null {
  const { mail } = tx.config;
  if (!mail) return null;
  const id = newId();
  const messageId = `<${id}@${mail.from.address.split('@')[1]}>`;
  const sealed = tx.sealer.seal(JSON.stringify(values), id);
  tx.afterCommit(tx.mails.ring);
  return sql`
    insert into mail (id, kind, merchant_id, recipient, message_id, sealed_values, status, created_at)
    values (${id}, ${kind}, ${merchantId}, ${recipient}, ${messageId}, ${sealed}, 'pending', ${tx.clock.now()})`;
}

export async function contentOf(context: Context, renderers: MailRenderers, mail: Mail): Promise<MailContent | null> {
  const { id, kind, sealedValues } = mail;
  const render = Object.hasOwn(renderers, kind) && renderers[kind];
  if (!render) throw new Error(`This version does not know mails of the kind ${kind}`);
  return render(context, JSON.parse(context.sealer.open(sealedValues, id)) as never, mail);
}

interface MailQuery {
  status?: MailStatus;
  recipient?: string;
  limit: number;
}

export function listMails({ em }: Context, { limit, ...where }: MailQuery): Promise<Mail[]> {
  return em.find(Mail, where, { orderBy: { id: 'desc' }, limit });
}

export async function findMail({ em }: Context, id: string): Promise<Mail | null> {
  return isId(id) ? em.findOne(Mail, { id }) : null;
}

/** Sends a mail again that was refused or has failed, also if its address rests. Returns false if there is no such mail. */
export async function retryMail(tx: WriteContext, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const retried = await run(tx)`
    update mail set status = 'pending', tries = 0, ended_at = null, next_check_at = now()
    where id = ${id} and status in ('refused', 'failed')`;
  await run(tx)`
    update mail set rests_until = null
    where rests_until is not null and recipient = (select recipient from mail where id = ${id})`;
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
