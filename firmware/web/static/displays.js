// Draws the very pixels of a display.

const LIT = [216, 243, 255];

export function draw(canvas, { columns, rows, bits }) {
  canvas.width = columns;
  canvas.height = rows;
  const bytes = Uint8Array.from(atob(bits), (sign) => sign.charCodeAt(0));
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const stride = Math.ceil(columns / 8);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const lit = bytes[y * stride + (x >> 3)] & (0x80 >> (x & 7));
      const at = 4 * (y * columns + x);
      [image.data[at], image.data[at + 1], image.data[at + 2]] = lit ? LIT : [5, 8, 10];
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}
