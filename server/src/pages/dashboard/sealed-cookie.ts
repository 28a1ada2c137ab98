import type { Request, Response } from 'express';
import { ownCookie } from '../../api/session-cookie.ts';
import type { Context } from '../../context.ts';

/** A value that a browser keeps for this service, and can neither read nor change. */
export interface SealedCookie<Value> {
  keep(response: Response, context: Context, value: Value): void;
  read(request: Request): Value | null;
  drop(response: Response, context: Context): void;
  /** Reads the value and drops it. */
  take(request: Request, response: Response): Value | null;
}

interface Options {
  name: string;
  lastsMs: number;
  /** The browser sends the cookie only to URLs in this folder. */
  folder?: string;
}

export function sealedCookie<Value extends object>({ name, lastsMs, folder }: Options): SealedCookie<Value> {
  const cookieOf = ({ publicUrl }: Context) => ownCookie(publicUrl, name, folder);
  const read = ({ context, cookies }: Request): Value | null => {
    const sealed: unknown = cookies?.[cookieOf(context).name];
    try {
      const { until, ...value } = JSON.parse(context.sealer.open(String(sealed), name)) as Value & { until: number };
      return until > context.clock.now().getTime() ? (value as unknown as Value) : null;
    } catch {
      return null;
    }
  };
  const drop = (response: Response, context: Context) => {
    const cookie = cookieOf(context);
    response.clearCookie(cookie.name, cookie.options);
  };
  return {
    read,
    drop,
    keep(response, context, value) {
      const cookie = cookieOf(context);
      const until = context.clock.now().getTime() + lastsMs;
      const sealed = context.sealer.seal(JSON.stringify({ ...value, until }), name);
      response.cookie(cookie.name, sealed, { ...cookie.options, maxAge: lastsMs });
    },
    take(request, response) {
      drop(response, request.context);
      return read(request);
    },
  };
}
