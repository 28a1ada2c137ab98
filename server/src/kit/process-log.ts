import { createLogger, type Logger } from './logger.ts';
import type { ColourVariables } from './terminal.ts';

export type LogFormat = 'auto' | 'people' | 'json';

interface LogSettings {
  logLevel: string;
  logFormat: LogFormat;
  colourVariables: ColourVariables;
}

// See docs/decisions/process.md, "A terminal gets lines for people, everything else gets fixed lines and JSON".
export async function createProcessLog({ logLevel, logFormat, colourVariables }: LogSettings): Promise<Logger> {
  const isForPeople = logFormat === 'people' || (logFormat === 'auto' && process.stderr.isTTY);
  if (!isForPeople || logLevel === 'silent') return createLogger(logLevel);
  const { peopleLog } = await import('./people-log.ts');
  return createLogger(logLevel, peopleLog(process.stderr, colourVariables));
}
