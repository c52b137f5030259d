// Starts `graphmend-lint server` and lets VS Code talk to it. Everything else is in the server.
"use strict";

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const PYTHON = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { notebook: "*", language: "python" },
];

let client;

async function start() {
  const [command, ...args] = workspace.getConfiguration("graphmend-lint").get("command");
  client = new LanguageClient("graphmend-lint", "graphmend-lint", { command, args }, { documentSelector: PYTHON });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`graphmend-lint: cannot start \`${command}\`: ${error.message}`);
  }
}

async function restart() {
  await deactivate();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("graphmend-lint.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("graphmend-lint.command") && restart()),
  );
  await start();
}

async function deactivate() {
  if (client?.needsStop()) {
    await client.stop();
  }
}

module.exports = { activate, deactivate };
