import { DEFAULT_PORT, PASSWORD_VARIABLE } from "../../terminal/mock-server.ts";
import { GRACE } from "../server/serve.ts";
import { STATE_LIMITS } from "../state/state.ts";

/** The output of `--help`. */
export const help = `billing-mock: a mock of the Billing Service API over HTTP, with all data in memory

Usage:
  $ billing-mock [options]

Server:
  -p, --port <number>          Port to listen on; 0 picks a free one (default: ${DEFAULT_PORT})
      --host <name>            Host to bind to (default: 127.0.0.1, reachable only from this machine)
      --grace <ms>             How long active requests may take after Ctrl+C or SIGTERM (default: ${GRACE});
                               a second signal stops immediately
      --json                   Print the address and the tokens as one line of JSON

Data:
      --seed-data <file.json>  Records and tokens to start with
      --seed <number>          Generate the same ids, tokens and secrets on every run
      --now <time>             Time at which the clock starts, such as 2025-03-01T00:00:00Z
                               (default: the system time)
      --max-events <number>    Maximum number of stored usage events; a batch that would exceed it
                               gets a 507
                               (default: ${STATE_LIMITS.maxEvents})
      --max-event-bytes <number>
                               Maximum total size of the stored events in memory, in bytes (approximate)
                               (default: ${STATE_LIMITS.maxEventBytes})

Responses:
      --assumptions <file.json>
                               Assumptions that differ from the defaults; see docs/testing.md
      --strict                 Also reject what comparable APIs reject; see docs/testing.md
      --latency <ms|min-max>   Delay every response
      --cors [origin ...]      Allow web pages of these origins, or of all if none is given

Control API and inspector, at /__mock:
      --no-control             Disable both
      --control-password-file <file>
                               Require the password in this file; alternatively, set ${PASSWORD_VARIABLE}

Other:
  -h, --help                   Print this help
  -v, --version                Print the version

Exit codes: 0 stopped, 1 failed while running, 2 invalid arguments
`;
