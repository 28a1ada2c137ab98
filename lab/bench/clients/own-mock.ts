/** The mock as `startMock` starts it, without its log line for each request. */
import { startMock } from '@tillhook/mock/api';

const { url } = await startMock();
process.send?.(url);
