/**
 * The door for paying what is owed. Whoever rings makes it look for due deliveries, claim as many as there are free slots,
 * send them and write down what came of each; a slot is filled again as soon as its delivery ends, and no receiver gets more
 * of them than its cap, so a slow one holds up others only when many are slow at once. It promises at least once: a claim is a lease, and what is not recorded before the lease ends is owed
 * again. Any number of dispatchers may run at once. When to try again is left to `retry-policy.ts`, the wire to `sender.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { createAlarm } from './alarm.ts';
import { type Claim, type Claimed, claim, firstEndpoint, handBack, nextDueMs } from './claim.ts';
import { createInFlight } from './in-flight.ts';
import { makeAttempt } from './make-attempt.ts';
import { inOwnTransaction } from './own-transaction.ts';
import type { Result } from './record.ts';
import { createRecordQueue } from './record-queue.ts';
import { senderOf } from './sender.ts';

export interface Dispatcher {
  /** Looks for due deliveries now. Harmless in vain; returns at once. */
  ring(): void;
  /** Stops claiming, lets what is in flight end within the grace, and hands back the rest. */
  stop(graceMs: number): Promise<void>;
}

/** A delivery that was claimed as often as this without a recorded attempt ends: whatever sends it dies of it. */
const mostClaims = 10;
const outagePauseMs = 1000;
/** How long a database that does not answer may hold up the end. */
const handBackMs = 1000;

export function createDispatcher(context: Context): Dispatcher {
  const { concurrency, endpointConcurrency, leaseMs } = context.config.delivery;
  const inFlight = createInFlight();
  const alarm = createAlarm(() => {
    isNextDueKnown = false;
    ring();
  });
  const results = createRecordQueue(context, (delayMs) => alarm.within(delayMs));
  let after = firstEndpoint;
  /** Someone rang, or there is certainly more. */
  let isWanted = false;
  /** There may be more once a delivery ends. */
  let isBacklogged = false;
  /** One ended while a claim that still counted it was under way. */
  let hasEndedMeanwhile = false;
  let isNextDueKnown = false;
  let isStopping = false;
  let claiming: Promise<void> | undefined;

  function ring(): void {
    isWanted = true;
    refill();
  }

  function refill(): void {
    if (isStopping || claiming || !isWanted || inFlight.size >= concurrency) return;
    isWanted = false;
    hasEndedMeanwhile = false;
    claiming = claimAndSend().finally(() => {
      claiming = undefined;
      refill();
    });
  }

  async function claimAndSend(): Promise<void> {
    try {
      const claimed = await inOwnTransaction(context, async (writer) => {
        const slots = concurrency - inFlight.size;
        const { perEndpoint } = inFlight;
        if (!isNextDueKnown) alarm.within(await nextDueMs(writer));
        return claim(writer, { slots, slotsPerEndpoint: endpointConcurrency, inFlight: perEndpoint, after, leaseMs });
      });
      isNextDueKnown = true;
      if (isStopping) return await giveBack(context, claimed.owed, 0);
      for (const delivery of claimed.owed) inFlight.add(delivery);
      noteBacklog(claimed);
      for (const delivery of claimed.owed) void attempt(delivery);
    } catch (error) {
      context.log.error({ err: error }, 'due deliveries cannot be claimed');
      alarm.within(outagePauseMs);
    }
  }

  function noteBacklog({ skipped, isFull, isCapped, last }: Claim): void {
    isBacklogged = isFull || isCapped;
    // Skipped deliveries left their slots free, and a walk to the last endpoint may have begun in the middle.
    if (isFull || skipped > 0 || after !== firstEndpoint) isWanted = true;
    if (isCapped && hasEndedMeanwhile) isWanted = true;
    after = isFull ? last : firstEndpoint;
  }

  async function attempt(delivery: Claimed): Promise<void> {
    const result = await resultOf(context, delivery);
    // What is not the receiver's fault costs the delivery nothing.
    if (result) results.add(result);
    else await giveBack(context, [delivery], leaseMs);
    inFlight.remove(delivery);
    hasEndedMeanwhile = true;
    if (isBacklogged) ring();
  }

  async function stop(graceMs: number): Promise<void> {
    isStopping = true;
    alarm.cancel();
    const graceEnd = sleep(graceMs, undefined, { ref: false });
    await Promise.race([graceEnd, claiming]);
    await Promise.race([graceEnd, inFlight.emptied()]);
    const late = inFlight.all();
    if (late.length > 0) await Promise.race([sleep(handBackMs, undefined, { ref: false }), giveBack(context, late, 0)]);
    await Promise.race([graceEnd.then(() => sleep(handBackMs, undefined, { ref: false })), results.drained()]);
    results.abandon();
    const sender = senderOf(context.config);
    await (late.length > 0 ? sender.destroy() : sender.close());
  }

  return { ring, stop };
}

async function resultOf(context: Context, delivery: Claimed): Promise<Result | undefined> {
  if (delivery.claims > mostClaims) return { delivery, crashed: true };
  try {
    return await makeAttempt(context, delivery);
  } catch (error) {
    context.log.error({ err: error, deliveryId: delivery.id }, 'a delivery cannot be attempted');
    return undefined;
  }
}

async function giveBack(context: Context, deliveries: Claimed[], delayMs: number): Promise<void> {
  try {
    await inOwnTransaction(context, (writer) => handBack(writer, deliveries, delayMs));
  } catch (error) {
    context.log.error({ err: error, deliveries: deliveries.length }, 'deliveries stay claimed until their leases end');
  }
}
