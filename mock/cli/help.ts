import { GRACE } from "../server/serve.ts";
import { MAX_EVENTS } from "../state/state.ts";
import { DEFAULT_PORT, PASSWORD_VARIABLE } from "./arguments.ts";

/** The output of `--help`. */
export const help = `Usage: billing-mock [options]

A mock of the Billing Service API, in memory, over HTTP.

Options:
  -p, --port <number>             port to listen on; 0 for any that is free (default: ${DEFAULT_PORT})
      --host <name>               host to bind to (default: 127.0.0.1, this machine alone)
      --seed-data <file.json>     records and tokens to begin with
      --seed <number>             makes ids, tokens and secrets the same on every run
      --latency <ms | min-max>    how long every answer takes
      --cors [origin ...]         lets web pages of these origins use the service, or of all when none is named
      --max-events <number>       how many usage events are stored; beyond that, 507 (default: ${MAX_EVENTS})
      --grace <ms>                how long requests under way may take when it stops (default: ${GRACE})
      --strict                    rejects what services of this kind reject and the specification does not
      --json                      prints where it listens, and its tokens, as one line of JSON
      --no-control                switches the control interface at /__mock off
      --control-password-file <file>
                                  asks for the password in this file at /__mock; ${PASSWORD_VARIABLE} does the same
  -h, --help                      prints this
  -v, --version                   prints the version

Ctrl+C or SIGTERM stops it when it has finished what it is answering, at the latest after the time that --grace
gives; a second time, at once.
Exit codes: 0 stopped, 1 failed while running, 2 called wrongly.
`;
