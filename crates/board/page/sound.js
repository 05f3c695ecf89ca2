// The sounds of moves, which are synthesised: a knock of wood, in several variations.

/** Pitch in Hz, length in seconds and volume of each knock, and its delay in seconds. */
const SOUNDS = {
  move: [[210, 0.09, 0.5, 0]],
  capture: [[170, 0.1, 0.6, 0], [260, 0.08, 0.4, 0.07]],
  end: [[262, 0.35, 0.3, 0], [330, 0.35, 0.3, 0.12], [392, 0.5, 0.3, 0.24]],
};

export class Sounds {
  constructor(app) {
    Object.assign(this, { app, context: null });
  }

  /** Plays a sound if sounds are switched on. Browsers keep a page silent until it is used for the first time. */
  play(name) {
    if (!this.app.settings.sound || !globalThis.AudioContext) return;
    this.context ||= new AudioContext();
    if (this.context.state === "suspended") this.context.resume();
    for (const knock of SOUNDS[name]) this.knock(...knock);
  }

  knock(pitch, length, volume, delay) {
    const { context } = this;
    const begin = context.currentTime + delay;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, begin);
    gain.gain.exponentialRampToValueAtTime(volume, begin + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    gain.connect(context.destination);
    for (const [type, factor] of [["sine", 1], ["triangle", 2.76]]) {
      const tone = context.createOscillator();
      tone.type = type;
      tone.frequency.setValueAtTime(pitch * factor, begin);
      tone.connect(gain);
      tone.start(begin);
      tone.stop(begin + length);
    }
  }
}
