// Light or dark, the same on every page.

const root = document.documentElement;

// A browser may forbid pages to keep anything.
function kept(theme) {
  try {
    if (theme) localStorage.setItem("theme", theme);
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

if (kept()) root.dataset.theme = kept();

document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme === "dark" || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "light" : "dark";
  kept(root.dataset.theme);
});
