import type { Context } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Mode } from '../../kit/mode.ts';
import type { CheckoutProcessor } from '../../processors/port.ts';

/** Choice: a live payment is never simulated, because it would show money that does not exist. */
export function getProcessor({ processors }: Context, mode: Mode): CheckoutProcessor {
  const processor = processors[mode];
  if (!processor) {
    throw new AppError('processor_not_configured', `No payment processor is configured for ${mode} mode`);
  }
  return processor;
}
