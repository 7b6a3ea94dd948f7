"use strict";
// What a picture looks like from afar, until it is there: a ThumbHash (Evan Wallace, https://evanw.github.io/thumbhash/), drawn on a canvas that lies below it.
(() => {
  const side = 32; // points, of the longer one

  // Its light, and its colours from yellow to blue and from red to green, as waves.
  function read(hash) {
    const head = hash[0] | hash[1] << 8 | hash[2] << 16, next = hash[3] | hash[4] << 8;
    const isLandscape = next >> 15, across = isLandscape ? 7 : next & 7, down = isLandscape ? next & 7 : 7;
    let place = 0;
    function channel(mean, scale, across, down) {
      const waves = [];
      for (let y = 0; y < down; y++) {
        for (let x = y ? 0 : 1; x * down < across * (down - y); x++, place++) {
          waves.push([x, y, ((hash[5 + (place >> 1)] >> ((place & 1) << 2) & 15) / 7.5 - 1) * scale]);
        }
      }
      return { mean, waves };
    }
    return [
      channel((head & 63) / 63, (head >> 18 & 31) / 31, Math.max(3, across), Math.max(3, down)),
      channel((head >> 6 & 63) / 31.5 - 1, (next >> 3 & 63) / 63 * 1.25, 3, 3),
      channel((head >> 12 & 63) / 31.5 - 1, (next >> 9 & 63) / 63 * 1.25, 3, 3),
    ];
  }

  function draw(hash, canvas) {
    const { width, height } = canvas, channels = read(hash), image = new ImageData(width, height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [light, yellow, red] = channels.map(({ mean, waves }) => waves.reduce((sum, [a, b, wave]) =>
          sum + wave * Math.cos(Math.PI / width * (x + .5) * a) * Math.cos(Math.PI / height * (y + .5) * b) * 2, mean));
        const blue = light - 2 / 3 * yellow, first = (3 * light - blue + red) / 2;
        image.data.set([first, first - red, blue, 1].map((value) => 255 * Math.min(1, Math.max(0, value))), 4 * (y * width + x));
      }
    }
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  function stand(picture) {
    if (picture.complete && picture.naturalWidth) return;
    const hash = Uint8Array.from(atob(picture.dataset.placeholder), (letter) => letter.charCodeAt(0));
    if (hash.length < 5) return;
    const ratio = picture.getAttribute("width") / picture.getAttribute("height") || 1;
    const canvas = Object.assign(document.createElement("canvas"), {
      className: "placeholder", width: Math.max(1, Math.round(Math.min(1, ratio) * side)), height: Math.max(1, Math.round(Math.min(1, 1 / ratio) * side)),
    });
    canvas.setAttribute("aria-hidden", "true");
    draw(hash, canvas);
    picture.before(canvas);
    for (const event of ["load", "error"]) picture.addEventListener(event, () => canvas.remove(), { once: true });
  }

  function look(root) { for (const picture of root.querySelectorAll("img[data-placeholder]")) stand(picture); }
  look(document);
  // Posts come as one reads on.
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) look(node);
  }).observe(document.body, { childList: true, subtree: true });
})();
