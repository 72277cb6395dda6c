// Reads one webhook endpoint from the server at the given URL, with @polar-sh/sdk.
import { make } from "../peers/polar.mjs";

await make(process.argv[2])();
process.exit();
