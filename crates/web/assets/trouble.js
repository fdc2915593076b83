// Says what went wrong. Where the server does not answer, one may try again.

const box = document.getElementById("error");

export function trouble(error, again) {
  box.replaceChildren(error ? error.message : "");
  box.hidden = !error;
  if (!error || !error.lost || !again) return;
  const button = document.createElement("button");
  button.id = "again";
  button.textContent = "Try again";
  button.addEventListener("click", again);
  box.append(" ", button);
}
