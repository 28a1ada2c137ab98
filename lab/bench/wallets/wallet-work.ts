/** A request to create `total` transfers or refunds from the wallets in turn, `inFlight` of them concurrently. */
export interface WalletWork {
  merchantIds: string[];
  total: number;
  inFlight: number;
}

export const amount = 2500;
export const fee = 25;

/**
 * Answers each `WalletWork` of the benchmark: calls `move` for each transfer or refund, numbered from 1, and replies
 * with the duration in seconds.
 */
export function answerWalletWork(move: (merchantId: string, number: number) => Promise<void>): void {
  process.on('message', async ({ merchantIds, total, inFlight }: WalletWork) => {
    let begun = 0;
    async function moveInTurn(): Promise<void> {
      while (begun < total) {
        begun += 1;
        await move(merchantIds[begun % merchantIds.length] ?? '', begun);
      }
    }
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: inFlight }, moveInTurn));
    process.send?.({ seconds: (performance.now() - startedAt) / 1000 });
  });
  process.send?.('ready');
}

/** Returns the reference of the payment for the refund with this number. */
export const referenceOf = (number: number): string => `order-${number}`;
