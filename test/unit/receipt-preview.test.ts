import { createSealer } from '@tillhook/server/src/kit/seal.ts';
import { openPreview, previewUrl } from '@tillhook/server/src/money/mails/receipt-preview.service.ts';
import test from 'ava';

test('the URL of a preview ends after ten minutes', async (t) => {
  let now = new Date('2026-11-28T10:00:00Z');
  const sealer = createSealer([{ id: '1', key: Buffer.alloc(32) }]);
  const merchant = { id: 'merchant-1', name: 'Ada’s Books', currency: 'USD' };
  const em = { fork: () => em, findOne: async () => merchant };
  const context = { sealer, publicUrl: 'http://localhost:3000', clock: { now: () => now }, em } as never;

  const { url } = previewUrl(context, merchant as never, 'en');
  const opened = () => openPreview(context, new URL(url).searchParams.get('token') ?? '');

  now = new Date('2026-11-28T10:09:59Z');
  t.is((await opened())?.subject, 'Your receipt from Ada’s Books');
  now = new Date('2026-11-28T10:10:00Z');
  t.is(await opened(), null);
});
