import { lazy } from 'react';

/*
 * The steps after the buyer's details, in one file that is requested as soon as those are shown. So the page appears sooner,
 * and whoever can pay has the page that shows the result.
 */

const load = () => import('./all-later-steps');
let loading: ReturnType<typeof load> | null = null;

/** A failed request is sent again by the next caller. */
export async function loadLaterSteps(): ReturnType<typeof load> {
  loading ??= load();
  try {
    return await loading;
  } catch (error) {
    loading = null;
    throw error;
  }
}

export const PayForm = lazy(async () => ({ default: (await loadLaterSteps()).PayForm }));
export const PixPayment = lazy(async () => ({ default: (await loadLaterSteps()).PixPayment }));
export const Done = lazy(async () => ({ default: (await loadLaterSteps()).Done }));
