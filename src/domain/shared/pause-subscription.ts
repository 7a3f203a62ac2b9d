/** From when on a dispute pauses the subscription whose charge is disputed. */
export type PauseSubscription = 'never' | 'opened' | 'lost';
