// How large the board is: as the person wants it, and where its places would be too small to hit with a finger, or its
// words too small to read, larger than its frame, which is then scrolled. A person who finds that too large makes it
// smaller again: that holds as long as this board is shown.

import { RIM, SPOT } from "./board.js";

// In pixels: places smaller than `TIGHT`, or nearer to one another, are brought to `ROOMY`, words smaller than `FINE` are
// written in `PLAIN`.
const [TIGHT, ROOMY] = [22, 24];
const [FINE, PLAIN] = [6.5, 8];
// The last move is kept so far from the edges of the frame, as a part of its width.
const EDGE = 0.15;

// The smallest distance between two places of a picture, in its units.
function narrowest(places) {
  let least = Infinity;
  places.forEach(([, x, y], i) => {
    for (let j = 0; j < i; j++) least = Math.min(least, Math.hypot(x - places[j][1], y - places[j][2]));
  });
  return least;
}

export class Size {
  // `larger` is shown while the board is larger than its frame.
  constructor(frame, svg, slider, larger) {
    Object.assign(this, { frame, svg, slider, larger, wanted: 100, board: "", settled: "", picture: null });
    slider.addEventListener("input", () => {
      this.wanted = Number(slider.value);
      this.settled = this.board;
      this.apply();
    });
    new ResizeObserver(() => this.apply()).observe(frame);
  }

  // The board that is drawn now, and the last move on it.
  show({ game, picture, last }) {
    const board = `${game} ${picture.width} ${picture.height}`;
    const same = board === this.board;
    this.board = board;
    if (!same) {
      const words = [...this.svg.querySelectorAll("text")].map((word) => Number(word.getAttribute("font-size")) || Infinity);
      const place = Math.min(2 * SPOT, narrowest(picture.places));
      this.picture = { width: picture.width + 2 * RIM, height: picture.height + 2 * RIM, place, word: Math.min(Infinity, ...words) };
    }
    this.apply();
    this.reveal(last.length ? last[last.length - 1][0] : same ? null : picture.width / 2);
  }

  // How many pixels a unit of the picture must have for its places to be hit and its words to be read, if it has fewer
  // where the whole board is seen; else 0. Places that lie far apart are no larger for that.
  needed() {
    const { width, height, place, word } = this.picture;
    this.svg.style.maxHeight = "";
    const most = parseFloat(getComputedStyle(this.svg).maxHeight) || Infinity;
    const unit = Math.min(this.frame.clientWidth / width, most / height);
    return Math.max(place * unit < TIGHT ? ROOMY / place : 0, word * unit < FINE ? PLAIN / word : 0);
  }

  apply() {
    const room = this.frame.clientWidth;
    if (!this.picture || !room) return;
    const { width, height } = this.picture;
    const least = this.settled === this.board ? 0 : this.needed();
    const percent = Math.max(this.wanted, Math.min(Number(this.slider.max), Math.ceil((100 * least * width) / room)));
    this.slider.value = percent;
    this.svg.style.width = `${percent}%`;
    // A low window would make it small as well.
    this.svg.style.maxHeight = percent > 100 ? "none" : least ? `${least * height}px` : "";
    this.larger.hidden = percent <= 100;
  }

  // Scrolls the frame so that this point of the picture is seen.
  reveal(x) {
    const { clientWidth, scrollWidth, scrollLeft } = this.frame;
    if (x === null || scrollWidth <= clientWidth) return;
    const at = ((x + RIM) / this.picture.width) * scrollWidth;
    const seen = (at - scrollLeft) / clientWidth;
    if (seen < EDGE || seen > 1 - EDGE) this.frame.scrollLeft = at - clientWidth / 2;
  }
}
