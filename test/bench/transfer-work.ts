/** What both contenders for transfers are asked to do, and how they do it: so many, so many at once, from each wallet in turn. */
export interface TransferWork {
  merchantIds: string[];
  total: number;
  inFlight: number;
}

export const amount = 2500;
export const fee = 25;
/** What each contender may use, as a server's default. */
export const poolSize = 10;

/** Answers the work that the benchmark asks for with how long it took. */
export function answerTransferWork(transfer: (merchantId: string) => Promise<void>): void {
  process.on('message', async ({ merchantIds, total, inFlight }: TransferWork) => {
    let begun = 0;
    async function transferInTurn(): Promise<void> {
      while (begun < total) {
        begun += 1;
        await transfer(merchantIds[begun % merchantIds.length] ?? '');
      }
    }
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: inFlight }, transferInTurn));
    process.send?.({ seconds: (performance.now() - startedAt) / 1000 });
  });
  process.send?.('ready');
}
