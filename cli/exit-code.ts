/** The exit codes that the commands return. An error ends the process with 1, invalid arguments with 2. */
export const EXIT_CODE = {
  success: 0,
  /** The command stopped because of an error. */
  failed: 1,
  /** The command ended, but some lines were rejected, a delivery failed, or a delivery is not valid. */
  rejected: 3,
  /** Ctrl+C: 128 and the number of SIGINT. */
  interrupted: 130,
} as const;
