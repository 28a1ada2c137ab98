/**
 * The smallest program that saves and sends an event: inserts the event and its delivery, commits, and posts.
 * It does not sign, and loses unsent deliveries when the process dies.
 */

import { newId } from '@tillhook/server/src/kit/ids.ts';
import { unsignedHeaders } from '@tillhook/server/src/wire/delivery-request.ts';
import { deliveryBody } from '@tillhook/server/src/wire/event-body.ts';
import { Pool } from 'pg';
import { Agent } from 'undici';
import { sampleEvent } from '../../support/queued-deliveries.ts';
import { poolSize } from '../pool-size.ts';
import { dispatchPost } from './dispatch-post.ts';
import { answerPublishing, type PublishOne } from './publishing.ts';

const [, , connectionString] = process.argv;
const pool = new Pool({ connectionString, max: poolSize });
const agent = new Agent({ connections: 64, pipelining: 1, allowH2: false });

const insert = `
  with happened as (
    insert into event (id, merchant_id, mode, name, reference, body, created_at)
    values ($1, $2, 'test', 'checkout.success', $3, $4, now())
  )
  insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
  values ($5, $1, $6, $2, 'test', 'pending', now())`;

const publishOne: PublishOne = async ({ merchantId, endpointId, url }, { reference, onCommit }) => {
  const [eventId, id] = [newId(), newId()];
  const client = await pool.connect();
  try {
    await client.query('begin');
    const values = [eventId, merchantId, reference, sampleEvent, id, endpointId];
    await client.query({ name: 'event', text: insert, values });
    await client.query('commit');
  } finally {
    client.release();
  }
  onCommit();
  const delivery = { id, eventId, eventName: 'checkout.success', endpointId, attempt: 1 };
  const { origin, pathname: path } = new URL(url);
  const headers = unsignedHeaders(delivery, Math.floor(Date.now() / 1000));
  await dispatchPost(agent, { origin, path, headers, bytes: Buffer.from(deliveryBody(sampleEvent, endpointId)) });
};

answerPublishing(publishOne);
