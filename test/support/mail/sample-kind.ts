import type { MailContent, MailRenderer } from '@tillhook/server/src/platform/mail/mails.service.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';

/** A kind that only tests write: its values are the content, and `null` is a mail that is no longer needed. */
export const sampleKind = 'sample';

export interface SampleValues {
  content: MailContent | null;
}

const render: MailRenderer = async (_context, { content }: SampleValues) => content;

/** Adds a kind to every server of this process. */
export function addMailKind(kind: string, renderer: MailRenderer): void {
  Object.assign(mailRenderers, { [kind]: renderer });
}

addMailKind(sampleKind, render);
