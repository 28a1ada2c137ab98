export interface WalletWork {
  merchantIds: string[];
  total: number;
  inFlight: number;
}

export const amount = 2500;
export const fee = 25;

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

export const referenceOf = (number: number): string => `order-${number}`;
