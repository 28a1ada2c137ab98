import type { Contract } from '@tillhook/openapi';
import { Router } from 'express';

export function docsPortalRoutes(_: { contract: Contract; publicUrl: string }): Router {
  return Router();
}
