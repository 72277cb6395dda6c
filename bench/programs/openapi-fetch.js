// Reads one webhook endpoint from the server at the given URL, with openapi-fetch.
import { make } from "../peers/openapi-fetch.mjs";

await make(process.argv[2])();
process.exit();
