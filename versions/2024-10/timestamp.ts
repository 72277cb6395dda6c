import * as z from "zod/mini";

/**
 * A time (RFC 3339), in responses. The service writes `YYYY-MM-DDThh:mm:ss.ffffffZ`; any number of fraction digits and any
 * time zone are accepted.
 *
 * @see {@link TimestampInput}, for times that you send
 */
export type Timestamp = string;

/** A time to send: a valid `Date`, or an RFC 3339 string with a time zone. A `Date` is sent in UTC, with milliseconds. */
export type TimestampInput = string | Date;

/** Matches RFC 3339, section 5.6, including lower-case `t` and `z` and leap seconds. */
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export const TimestampSchema = z.stringFormat("datetime", TIME);
