// Loaded into a worker before the engine: every reading of the clock is 13 ms later than the previous one, so that the
// engine suspends itself whenever it can.
let time = 0;
performance.now = () => (time += 13);
