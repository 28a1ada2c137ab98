/** Tests that the commands of the first hour print what `docs/first-hour.txt` shows. */
/**
 * After an intended change, run `WRITE_FIRST_HOUR=1 npm test -- exhaustive/developer/first-hour.test.ts`, and read the
 * changes before you commit them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { newIds } from '../../support/database/new-ids.ts';
import { insertEvent } from '../../support/events/held-event.ts';
import { verifyCaptures } from '../../support/first-hour/captures.ts';
import {
  type Behind,
  catchUp,
  listenInOtherWays,
  meetBadReceivers,
  misuseKeys,
  restartService,
} from '../../support/first-hour/failures.ts';
import { followEvents, registerEndpoint, startService } from '../../support/first-hour/first-events.ts';
import { createNormalForm } from '../../support/first-hour/normal-form.ts';
import { travelInTime } from '../../support/first-hour/time-travel.ts';
import { createTranscript } from '../../support/first-hour/transcript.ts';
import { shortFreePorts } from '../../support/network/free-port.ts';
import { createDataDir } from '../../support/server/data-dir.ts';
import { environmentOf } from '../../support/server/developer.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const otherServer = serverForFile();
const file = new URL('../../../docs/first-hour.txt', import.meta.url);

test('the commands of the first hour print what docs/first-hour.txt shows', async (t) => {
  t.timeout(300_000);
  const [service = 0, receiver = 0, nothing = 0] = await shortFreePorts(3);
  const hour = createTranscript(t, createNormalForm({ 3000: service, 4000: receiver, 4001: nothing }), {
    DATA_DIR: createDataDir(t),
    PORT: String(service),
    RECEIVER_PORT: String(receiver),
    TILLHOOK_BASE_URL: `http://localhost:${service}`,
  });

  if (process.env.WRITE_FIRST_HOUR) t.teardown(() => writeFileSync(file, hour.text()));
  hour.say(
    'Commands as a person types them, and what they print, in several terminals. A test types them again and compares. Ids, secrets, times and durations are replaced.',
  );
  const server = await startService(hour);
  await followEvents(hour, server);
  await registerEndpoint(hour, server);
  await travelInTime(hour);
  await misuseKeys(hour);
  const again = await restartService(hour, server);
  await meetBadReceivers(hour);
  await listenInOtherWays(hour);
  await catchUp(hour, await manyEvents(t));
  await verifyCaptures(hour);
  await again.interrupt();

  t.deepEqual(hour.text().split('\n'), readFileSync(file, 'utf8').split('\n'));
});

async function manyEvents(t: ExecutionContext): Promise<Behind> {
  const count = 10_000;
  const merchant = await otherServer().createMerchant();
  const first = await insertEvent(t, otherServer(), { merchant });
  await otherServer().database.query("update event set reference = 'order-1' where id = $1", [first]);
  await otherServer().database.query(
    `insert into event (id, merchant_id, mode, name, reference, body, created_at)
     select new_id, merchant_id, mode, name, 'order-' || 1 + number, body, now()
     from event, unnest($2::uuid[]) with ordinality as given (new_id, number) where id = $1`,
    [first, newIds(count - 1)],
  );
  return { env: environmentOf(otherServer(), merchant), count };
}
