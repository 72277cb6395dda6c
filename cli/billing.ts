#!/usr/bin/env node
import { runBilling } from "./run-billing.ts";

await runBilling(process.argv.slice(2));
