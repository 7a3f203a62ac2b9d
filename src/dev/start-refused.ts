/** Something about this machine or these settings keeps us from starting; the message is for the person who asked. */
export class StartRefused extends Error {}
