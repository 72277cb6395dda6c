// A page that uses only a client.
import { call } from "./calls.ts";

window.report = call(window.target);
