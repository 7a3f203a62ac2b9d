import { lazy, Suspense, type ComponentType } from 'react';
import classes from '../figures.module.css';
import type { ApprovalChartProps, OutcomeChartProps, VolumeChartProps } from './chart-props';

/*
 * The library that draws charts is larger than all other scripts of the page. It loads after the figures are shown, into a
 * space that is kept for it.
 */

/** Without the library the page shows the figures only, in its tables. */
const Nothing: ComponentType<object> = () => null;
const NO_CHARTS = { VolumeChart: Nothing, ApprovalChart: Nothing, OutcomeChart: Nothing };
const load = () => import('./charts').catch(() => NO_CHARTS);

const LazyVolumeChart = lazy(async () => ({ default: (await load()).VolumeChart }));
const LazyApprovalChart = lazy(async () => ({ default: (await load()).ApprovalChart }));
const LazyOutcomeChart = lazy(async () => ({ default: (await load()).OutcomeChart }));

export function VolumeChart(props: VolumeChartProps) {
  return (
    <div className={classes.tall}>
      <Suspense>
        <LazyVolumeChart {...props} />
      </Suspense>
    </div>
  );
}

export function ApprovalChart(props: ApprovalChartProps) {
  return (
    <div className={classes.chart}>
      <Suspense>
        <LazyApprovalChart {...props} />
      </Suspense>
    </div>
  );
}

export function OutcomeChart(props: OutcomeChartProps) {
  return (
    <div className={classes.donut}>
      <Suspense>
        <LazyOutcomeChart {...props} />
      </Suspense>
    </div>
  );
}
