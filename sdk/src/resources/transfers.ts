export const transfers = {
  /**
   * Sends money to a recipient. A Transfer wallet that holds too little throws a `TransferError`.
   *
   * @example
   * const transfer = await tillhook.transfers.create({
   *   reference: 'payout-77',
   *   amount: 250000,
   *   recipient: { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' },
   * });
   */
  create: 'createTransfer',
  /**
   * Lists one page of outbound transfers, newest first.
   *
   * @example
   * const { transfers, total } = await tillhook.transfers.list({ limit: 20, offset: 40 });
   */
  list: 'listTransfers',
  /**
   * Gets the transfer with this reference, or throws a `NotFoundError`.
   *
   * @example
   * const { status, failureReason } = await tillhook.transfers.get('payout-77');
   */
  get: 'getTransfer',
} as const;
