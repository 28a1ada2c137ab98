/**
 * The cookie that holds a session's token. No script can read it, and no form of another site can send it.
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

/** Sets the cookie to the token. With null, removes it from the browser. */
export function keepSession(response: Response, { publicUrl }: Context, token: string | null): void {
  const secure = publicUrl.startsWith('https:');
  const options = { httpOnly: true, sameSite: 'lax', secure, path: `${basePath(publicUrl)}/` } as const;
  if (token === null) response.clearCookie(sessionCookie, options);
  else response.cookie(sessionCookie, token, { ...options, maxAge: sessionLifeMs });
}
