/// What the pages of the benchmark run beside their own scripts.
enum BrowserScript {
    /// `cdevBench.watch(name, find)` calls `cdevBenchSeen(name)` once all elements that `find` gives can be seen: they are
    /// laid out in the window, nothing lies on their middle, and the frame that has them was drawn.
    static let watching = """
        globalThis.cdevBench = {
          frame: () => new Promise(requestAnimationFrame),
          async until(condition) {
            for (let left = 600; !condition(); left -= 1) {
              if (left === 0) throw new Error(`in vain: ${condition}`);
              await this.frame();
            }
          },
          isVisible(element) {
            if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
            const { left, right, top, bottom } = element.getBoundingClientRect();
            const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
            return isInside && element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
          },
          watch(name, find) {
            const look = () => {
              const elements = find();
              if (!elements.length || !elements.every(this.isVisible)) return;
              observer.disconnect();
              // This callback runs before its frame is drawn; that it was is known in the next.
              requestAnimationFrame(() => cdevBenchSeen(name));
            };
            let isAwaited = false;
            const observer = new MutationObserver(() => {
              if (isAwaited) return;
              isAwaited = true;
              requestAnimationFrame(() => { isAwaited = false; look(); });
            });
            observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
          },
        };
        """

    /// The open card that shows this text: all that a person needs to answer it.
    static func card(_ text: String) -> String {
        """
        () => {
          const card = [...document.querySelectorAll(".card:not(.ended)")].find((card) => card.textContent.includes("\(text)"));
          return card ? [card, ...card.querySelectorAll("h2, .code, .buttons button")] : [];
        }
        """
    }

    /// The number at the tab of the requests.
    static func badge(_ count: Int) -> String {
        #"() => [...document.querySelectorAll(".badge")].filter((badge) => badge.textContent === "\#(count)")"#
    }

    /// So many are open, and what has ended is off the table, as a person who taps on the tab has it.
    static func tidied(open: Int) -> String {
        """
        (async () => {
          await cdevBench.until(() => document.body.dataset.phase === "online" && cdev.model.openCards.length === \(open));
          cdev.requests.gather();
          for (let frames = 0; frames < 3; frames += 1) await cdevBench.frame();
        })()
        """
    }
}
