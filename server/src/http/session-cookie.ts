/**
 * Where a session's token lives between two calls: a cookie that no script can read and no other site's form can send.
 */
import { sessionCookie } from '@tillhook/openapi/refusals/credentials';
import type { Response } from 'express';
import { sessionLifeMs } from '../auth/sessions/dashboard-session.entity.ts';
import type { Context } from '../context.ts';
import { basePath } from '../kit/base-path.ts';

export function sessionTokenOf({ cookies }: { cookies?: Record<string, unknown> }): string {
  const value = cookies?.[sessionCookie];
  return typeof value === 'string' ? value : '';
}

/** Gives the browser its token, or, with null, takes it away. */
export function keepSession(response: Response, { publicUrl }: Context, token: string | null): void {
  const secure = publicUrl.startsWith('https:');
  const options = { httpOnly: true, sameSite: 'lax', secure, path: `${basePath(publicUrl)}/` } as const;
  if (token === null) response.clearCookie(sessionCookie, options);
  else response.cookie(sessionCookie, token, { ...options, maxAge: sessionLifeMs });
}
