// The buzzer. It is silent until somebody switches it on.

const HERTZ = 2300;

export class Buzzer {
  constructor() {
    this.on = localStorage.getItem("sound") === "1";
  }

  switch(on) {
    this.on = on;
    localStorage.setItem("sound", on ? "1" : "0");
    this.wake();
    if (!on) this.sounding(false);
  }

  // Browsers let a page sound only after somebody has touched it.
  wake() {
    if (!this.on || this.gain) return;
    const context = new AudioContext();
    const tone = context.createOscillator();
    tone.type = "square";
    tone.frequency.value = HERTZ;
    this.gain = context.createGain();
    this.gain.gain.value = 0;
    tone.connect(this.gain).connect(context.destination);
    tone.start();
  }

  sounding(is) {
    if (this.gain) this.gain.gain.value = is && this.on ? 0.04 : 0;
  }
}
