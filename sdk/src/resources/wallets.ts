export const wallets = {
  /**
   * Lists every wallet, with what is available and what is set aside; the list is always complete.
   *
   * @example
   * const { wallets } = await tillhook.wallets.list();
   */
  list: 'listWallets',
  /**
   * Moves money from the Collection wallet to the Transfer wallet.
   *
   * @example
   * const { available } = await tillhook.wallets.topUp({ amount: 500000 });
   */
  topUp: 'topUpTransferWallet',
  /**
   * Lists one page of a wallet's movements, newest first, each with the balance after it.
   *
   * @example
   * const { entries } = await tillhook.wallets.listEntries('transfer', { currency: 'NGN' });
   */
  listEntries: 'listWalletEntries',
} as const;
