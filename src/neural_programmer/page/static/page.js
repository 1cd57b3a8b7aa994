// The little that HTML and htmx leave: files that are dropped, questions that are clicked, texts that are copied.
"use strict";

const news = (place, sentence) => {
  const box = document.createElement("div");
  const text = document.createElement("p");
  box.className = "sorry";
  box.setAttribute("role", "alert");
  text.textContent = sentence;
  box.append(text);
  place.replaceChildren(box);
};

const upload = document.getElementById("upload");
if (upload) {
  const field = upload.querySelector("input[type=file]");
  const place = document.getElementById("upload-news");
  const most = Number(upload.dataset.most);
  const send = () => {
    const file = field.files[0];
    if (!file) return;
    if (file.size > most * 1e6) {
      news(place, `${file.name} has ${Math.ceil(file.size / 1e6)} MB, and ${most} MB are allowed; send a part of it`);
      field.value = "";
      return;
    }
    place.textContent = `Reading ${file.name} …`;
    upload.requestSubmit();
  };
  field.addEventListener("change", send);
  for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      upload.parentElement.hidden = false; // where a table is open, it is not in sight
      upload.classList.toggle("over", name === "dragenter" || name === "dragover");
      if (name === "drop" && event.dataTransfer.files.length) {
        field.files = event.dataTransfer.files;
        send();
      }
    });
  }
}

document.addEventListener("click", (event) => {
  const question = event.target.closest("[data-question]");
  if (question && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    const field = document.getElementById("question");
    field.value = question.dataset.question;
    field.form.requestSubmit();
    field.form.scrollIntoView({ block: "nearest" });
  }
  const step = event.target.closest(".steps a");
  if (step) {
    for (const other of document.querySelectorAll(".steps a[aria-current]")) other.removeAttribute("aria-current");
    step.setAttribute("aria-current", "step");
    const rows = document.getElementById("rows");
    if (rows.getBoundingClientRect().top > innerHeight) rows.scrollIntoView();
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) copied(copy);
  const sort = event.target.closest(".sort");
  if (sort) sorted(sort.closest("th"));
});

document.addEventListener("keydown", (event) => {
  if (event.target.id === "question" && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});

// A question stands in the address, which has room for so much.
const MOST_BYTES = 20_000; // each of them takes three characters there
document.addEventListener("submit", (event) => {
  const question = event.target.elements.question?.value ?? "";
  if (new TextEncoder().encode(question).length > MOST_BYTES) {
    event.preventDefault();
    event.stopImmediatePropagation();
    news(document.getElementById("answer"), "This is too long for a question; shorten it.");
  }
}, true);

// What a table is shown for is brought into sight, if it is out of it: the column of a step, or the last before it that
// rows were chosen by, and the first of its rows.
// Headers and the numbers of rows stay where they are and hide what is under them.
function shown(part) {
  for (const scroll of part.querySelectorAll(".scroll, .header")) {
    const around = scroll.getBoundingClientRect();
    const place = (part) => {
      const box = part.getBoundingClientRect();
      return [box.left - around.left - scroll.clientLeft, box.top - around.top - scroll.clientTop, box.width, box.height];
    };
    const beside = scroll.querySelector("tbody th")?.offsetWidth ?? 0;
    const cell = ["th.acts", "td:has(mark)", "th.chosen"].map((each) => scroll.querySelector(each)).find(Boolean);
    if (cell) {
      const [left, , width] = place(cell);
      const room = Math.max(scroll.clientWidth - beside - width, 0);
      if (left < beside || left + width > scroll.clientWidth) scroll.scrollLeft += left - beside - room / 2;
    }
    const row = scroll.querySelector("tr.selected");
    if (row) {
      const above = scroll.querySelector("thead").offsetHeight;
      const [, top, , height] = place(row);
      if (top < above || top + height > scroll.clientHeight) scroll.scrollTop += top - above - height;
    }
  }
}
document.addEventListener("htmx:after:settle", (event) => shown(event.target));
document.addEventListener("DOMContentLoaded", () => {
  shown(document);
  document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
});

// Who went back before htmx was there to hear it sees the page of another address.
document.addEventListener("DOMContentLoaded", () => {
  const [loaded] = performance.getEntriesByType("navigation");
  if (new URL(loaded.name).search !== location.search) location.reload();
});

// The same question once more is no new place to come back to.
document.addEventListener("htmx:before:history:update", (event) => {
  if (new URL(event.detail.history.path, location.href).href === location.href) event.preventDefault();
});

// The rows of an answer are sorted by a column: numbers from the highest, all else from the first; then the other way
// round, then as the answer has them. Missing cells are last.
const collator = new Intl.Collator(undefined, { numeric: true });
const asAnswered = new WeakMap();
function sorted(head) {
  const body = head.closest("table").tBodies[0];
  if (!asAnswered.has(body)) asAnswered.set(body, [...body.rows]);
  const ways = ["descending", "ascending"];
  if (!head.matches(".number")) ways.reverse();
  const way = ways[ways.indexOf(head.getAttribute("aria-sort")) + 1];
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  const rows = [...asAnswered.get(body)];
  if (way) {
    head.setAttribute("aria-sort", way);
    const cell = (row) => row.cells[head.cellIndex];
    const lacks = (row) => "missing" in cell(row).dataset;
    const order = (row) => cell(row).dataset.order ?? cell(row).textContent;
    const compare = head.matches(".number")
      ? (one, other) => Number(order(one)) - Number(order(other)) || 0
      : (one, other) => collator.compare(order(one), order(other));
    const sign = way === "ascending" ? 1 : -1;
    rows.sort((one, other) => lacks(one) - lacks(other) || (lacks(one) ? 0 : sign * compare(one, other)));
  }
  body.append(...rows);
}

async function copied(button) {
  const from = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(from.textContent);
  } catch {
    // no clipboard but on this machine's own address: the text is selected and copied the old way
    const range = document.createRange();
    range.selectNodeContents(from);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}

document.addEventListener("htmx:error", (event) => {
  const target = event.detail?.ctx?.target ?? document.getElementById("answer");
  if (target) news(target, "The server does not answer; see whether it still runs, and try again.");
});
