// Sets the chosen theme before the first paint. Without a choice the system decides.
(() => {
  const theme = localStorage.getItem("penstock.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
