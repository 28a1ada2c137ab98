import { slugInUse } from '@tillhook/openapi/rules/payment-link';
import { AppError, type ErrorCode } from '../../kit/errors.ts';

const constraintErrors: Record<string, { code: ErrorCode; param: string; message: string }> = {
  dashboard_user_email_unique: {
    code: 'email_in_use',
    param: 'email',
    message: 'There is a user with this email address already',
  },
  payment_reference_unique: {
    code: 'duplicate_reference',
    param: 'reference',
    message: 'A payment with this reference already exists',
  },
  payment_link_slug_unique: { code: 'duplicate_slug', param: 'slug', message: slugInUse },
  transfer_reference_unique: {
    code: 'duplicate_reference',
    param: 'reference',
    message: 'A transfer with this reference already exists',
  },
  refund_reference_unique: {
    code: 'duplicate_reference',
    param: 'reference',
    message: 'A refund with this reference already exists',
  },
  ledger_top_up_reference_unique: {
    code: 'duplicate_reference',
    param: 'reference',
    message: 'A top-up with this reference already exists',
  },
  passkey_credential_unique: {
    code: 'invalid_parameter',
    param: 'credentialId',
    message: 'This passkey was added already',
  },
};

export function violationOf(constraint: string, cause?: Error): AppError | undefined {
  const known = constraintErrors[constraint];
  return known && new AppError(known.code, known.message, { param: known.param, cause });
}
