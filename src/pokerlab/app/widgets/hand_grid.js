// The 13×13 grid of hands: one cell per class. Colours and texts come from Python; here are only the pointer and keys.
export default {
  template: `
    <div class="hand-grid" :class="{paintable: paintable}" role="grid" :aria-label="label"
         @keydown="press" @pointerdown="begin" @pointermove="move" @pointerup="end" @pointercancel="end" @pointerleave="end"
         @mouseover="point" @focusin="point" @mouseleave="pointed = -1">
      <div v-for="row in 13" :key="row" role="row" style="display: contents">
        <div v-for="column in 13" :key="column" role="gridcell" class="hand-cell" :class="kind(row, column)"
             :data-cell="13 * (row - 1) + column - 1" :tabindex="at(row, column) === focused ? 0 : -1"
             :aria-label="cells[at(row, column)][4]" :aria-selected="at(row, column) === chosen"
             :title="cells[at(row, column)][4]"
             :style="{background: cells[at(row, column)][0]}">{{ cells[at(row, column)][2] }}<i v-if="cells[at(row, column)][3]">{{ cells[at(row, column)][3] }}</i></div>
      </div>
      <div v-if="!paintable" class="pointed dim small" style="grid-column: 1 / -1" aria-hidden="true">{{ pointed < 0 ? "" : cells[pointed][4] }}</div>
    </div>`,
  props: { cells: Array, chosen: Number, paintable: Boolean, label: String },
  data() { return { focused: 0, painting: null, pointed: -1 }; },
  methods: {
    at(row, column) { return 13 * (row - 1) + column - 1; },
    kind(row, column) {
      const cell = this.cells[this.at(row, column)];
      return { lit: cell[1] > 0, pale: cell[1] > 1, halo: cell[1] > 2, chosen: this.at(row, column) === this.chosen };
    },
    cellOf(event) {
      const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
      return found && this.$el.contains(found) ? Number(found.dataset.cell) : -1;
    },
    begin(event) {
      const cell = this.cellOf(event);
      if (cell < 0 || event.button > 0) return;
      this.focused = cell;
      if (!this.paintable) { this.$emit("pick", cell); return; }
      this.painting = new Set();
      this.touch(cell);
    },
    touch(cell) {
      if (cell < 0 || this.painting.has(cell)) return;
      this.painting.add(cell);
      this.$el.querySelector(`[data-cell="${cell}"]`).style.outline = "2px solid var(--accent)";
    },
    move(event) { if (this.painting) this.touch(this.cellOf(event)); },
    end() {
      if (!this.painting) return;
      const cells = [...this.painting];
      this.painting = null;
      this.$el.querySelectorAll(".hand-cell").forEach((one) => { one.style.outline = ""; });
      this.$emit("paint", cells);
    },
    point(event) {
      if (this.paintable) return;
      const cell = Number(event.target.closest("[data-cell]")?.dataset.cell ?? -1);
      if (cell >= 0) this.pointed = cell;
    },
    press(event) {
      const steps = { ArrowUp: -13, ArrowDown: 13, ArrowLeft: -1, ArrowRight: 1 };
      if (event.key in steps) {
        event.preventDefault();
        const next = this.focused + steps[event.key];
        if (next < 0 || next > 168 || (Math.abs(steps[event.key]) === 1 && Math.floor(next / 13) !== Math.floor(this.focused / 13))) return;
        this.focused = next;
        this.$nextTick(() => this.$el.querySelector(`[data-cell="${next}"]`).focus());
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.$emit(this.paintable ? "paint" : "pick", this.paintable ? [this.focused] : this.focused);
      }
    },
  },
};
