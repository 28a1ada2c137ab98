/** The work of both contenders for transfers: `total` transfers, `inFlight` at once, from the wallets in turn. */
export interface TransferWork {
  merchantIds: string[];
  total: number;
  inFlight: number;
}

export const amount = 2500;
export const fee = 25;
/** The number of database connections of each contender, which is the server's default. */
export const poolSize = 10;

/** Does the work that the benchmark sends, and answers with the seconds that it took. */
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
