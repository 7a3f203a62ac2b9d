import { Skeleton } from '@mantine/core';
import classes from './figures.module.css';

export function FiguresSkeleton() {
  return (
    <div className={classes.figures}>
      <div className={classes.cards}>
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={index} height={106} radius="md" />
        ))}
      </div>
      <div className={classes.wide}>
        <Skeleton height={360} radius="md" />
        <Skeleton height={360} radius="md" />
      </div>
      <div className={classes.even}>
        <Skeleton height={320} radius="md" />
        <Skeleton height={320} radius="md" />
      </div>
    </div>
  );
}
