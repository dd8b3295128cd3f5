// The simulated table, seen from above.

import { Line, begin, element, say } from "/static/base.js";
import { draw } from "/static/displays.js";

const line = new Line("/sim");
const glasses = new Map();

function glass(place) {
  if (!glasses.has(place)) {
    const canvas = element("canvas", { role: "img", "aria-label": say("seat", { number: place }), dataset: { place } });
    glasses.set(place, canvas);
    document.querySelector("#table").append(canvas);
  }
  return glasses.get(place);
}

line.on("any", ({ topic, value }) => {
  if (topic.startsWith("display:")) draw(glass(topic.slice(8)), value);
});
line.on("there", (there) => { document.querySelector("#lost").hidden = there; });
begin();
