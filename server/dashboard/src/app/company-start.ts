import { basePath } from './base.ts';

/** The URL that begins a company sign-in, which then leads to `from`, a URL of this dashboard. */
export function companyStart(from: string | undefined): string {
  return `${basePath}/dashboard/oidc/start${from === undefined ? '' : `?from=${encodeURIComponent(from)}`}`;
}
