// What has happened in the running deal: the newest entries come by themselves, all of them when somebody asks.

const API = "/api/v1";

export class Story {
  // `changed` is called when entries that were asked for are there.
  constructor(changed) {
    this.changed = changed;
    this.match = 0;
    this.first = 1;
    this.entries = [];
    this.wanted = false;
    this.missed = false;
  }

  // How many entries are older than those that are here.
  get older() {
    return this.first - 1;
  }

  // The newest ones, from the number `first` on.
  take({ match, first, entries }) {
    const whole = this.wanted && this.first === 1 && !this.missed && match === this.match && first - 1 <= this.entries.length;
    if (first === 1) this.wanted = false; // another deal, of which all is here
    this.entries = whole ? [...this.entries.slice(0, first - 1), ...entries] : entries;
    this.first = whole ? 1 : first;
    this.match = match;
    this.missed = false;
    if (this.wanted && !whole) this.ask();
  }

  // The line to the table was cut: what is here may not fit what comes.
  cut() {
    this.missed = true;
  }

  async ask() {
    this.wanted = true;
    const answer = await fetch(`${API}/history`);
    if (!answer.ok) return;
    const { match, entries } = await answer.json();
    if (!this.wanted || match !== this.match || this.first === 1) return; // another deal has begun meanwhile
    this.entries = entries.length < this.first - 1 ? entries : [...entries.slice(0, this.first - 1), ...this.entries];
    this.first = 1;
    this.changed();
  }
}
