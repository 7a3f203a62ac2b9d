/** The machine or the settings prevent a start. The message is shown to the developer. */
export class StartRefused extends Error {}
