/** The work of both contenders for transfers and for refunds: `total` of them, `inFlight` at once, from the wallets in turn. */
export interface WalletWork {
  merchantIds: string[];
  total: number;
  inFlight: number;
}

export const amount = 2500;
export const fee = 25;

/**
 * Does the work that the benchmark sends, and answers with the seconds that it took. The numbers of one work begin with 1.
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

/** The reference of a payment that is refunded. The numbers begin with 1. */
export const referenceOf = (number: number): string => `order-${number}`;
