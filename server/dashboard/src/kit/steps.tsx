import { Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { ExactMoment } from './moment.tsx';
import type { Tone } from './status-badge.tsx';
import classes from './steps.module.css';

export interface Step {
  key: string;
  at: string;
  title: ReactNode;
  text?: ReactNode;
  tone?: Tone;
}

/** Shows the steps from the first to the last. Steps of the same time keep their order. */
export function Steps({ steps }: { steps: readonly Step[] }): ReactNode {
  const sorted = steps.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <Timeline
      bulletSize={12}
      lineWidth={2}
      active={sorted.length}
      classNames={{ item: classes.item ?? '', itemBullet: classes.bullet ?? '', itemTitle: classes.title ?? '' }}
    >
      {sorted.map(({ key, at, title, text, tone }) => (
        <Timeline.Item key={key} data-tone={tone} title={<TitleAt title={title} at={at} />}>
          {text && (
            <Text component="div" size="sm">
              {text}
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function TitleAt({ title, at }: Pick<Step, 'title' | 'at'>): ReactNode {
  return (
    <div className={classes.row}>
      <div>{title}</div>
      <Text span size="xs" c="dimmed" className={classes.time}>
        <ExactMoment at={at} />
      </Text>
    </div>
  );
}
