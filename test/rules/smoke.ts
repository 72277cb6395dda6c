// Tests of about 40 rules, in one file, so that each adapter needs one worker: they also run through MSW and over a socket.
import "./journey.test.ts";
import "./clock-deliveries.test.ts";
import "./endpoint-reading.test.ts";
import "./ingesting.test.ts";
import "./rates.test.ts";
import "./versions.test.ts";
