// Does nothing: what starting Node.js costs.
process.exit();
