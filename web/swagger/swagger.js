"use strict";

/** Shows `openapi.json`. Everything is inserted as text. */

/** @param {string} tag @param {...(Node | string)} children */
function element(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

/** @param {string} text */
function note(text) {
  const made = element("p", text);
  made.className = "note";
  return made;
}

/** @param {unknown} value */
const shown = (value) => element("pre", element("code", JSON.stringify(value, null, 2)));

/** @param {string} verb @param {string} path @param {any} operation */
function route(verb, path, operation) {
  const kind = element("span", verb.toUpperCase());
  kind.className = "verb";
  const made = element("details", element("summary", kind, " ", element("code", path), " ", operation.summary));
  made.append(note(operation.description));
  for (const parameter of operation.parameters ?? []) {
    const needed = parameter.required ? ", required" : "";
    made.append(note(`${parameter.name} (in ${parameter.in}${needed}): ${parameter.description ?? ""}`));
  }
  const body = operation.requestBody?.content["application/json"]?.schema;
  if (body) made.append(element("h3", "Body"), shown(body));
  for (const [status, answer] of Object.entries(operation.responses)) {
    made.append(element("h3", status === "default" ? "Otherwise" : status), note(answer.description));
    for (const [type, content] of Object.entries(answer.content ?? {})) {
      made.append(content.schema ? shown(content.schema) : note(type));
    }
  }
  return made;
}

/** @param {string} name @param {any} schema */
function schema(name, schema) {
  const made = element("details", element("summary", element("code", name)), shown(schema));
  made.id = `schema-${name}`;
  return made;
}

/** @param {any} api */
function show(api) {
  document.querySelector("#about").textContent = api.info.description;
  const routes = Object.entries(api.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => route(verb, path, operation)));
  document.querySelector("#routes").replaceChildren(...routes);
  const schemas = Object.entries(api.components.schemas).map(([name, value]) => schema(name, value));
  document.querySelector("#schemas").replaceChildren(...schemas);
}

async function read() {
  const response = await fetch("/swagger/openapi.json");
  if (!response.ok) throw new Error(`the daemon answered ${response.status}`);
  show(await response.json());
}

read().catch((error) => {
  document.querySelector("#about").textContent = `The document cannot be read: ${error.message}. Load the page again.`;
});
