/** A little documentation tree, made up, with enough in it to be searched. */
export const HANDBOOK = `
//- README.md
# Handbook

Everything about the Harbor server, from installing it to taking it down.

## Getting help

Ask in the chat, or open an issue with the output of \`harbor doctor\`.
//- guide/install.md
# Installation

Harbor runs on Linux and macOS.

## Requirements

You need Node 24 and 200 MB of free disk space.

## From the package registry

Run \`npm install --global harbor\` and check with \`harbor --version\`.

## Upgrading

Stop the server, install the new version, and start it again. Migrations run on their own.
//- guide/configure.md
---
title: Configuration
---

Settings are read from \`harbor.toml\` in the working folder.

## Environment variables

Every setting has a variable: \`HARBOR_PORT\` for \`port\`, and so on. Variables win over the file.

## Logging

Set \`log.level\` to \`debug\` to see every request. Logs rotate daily.

### Log format

Lines are JSON with \`time\`, \`level\` and \`message\`.

## TLS certificates

Give \`tls.cert\` and \`tls.key\`. Harbor reloads certificates when the files change.
//- guide/deploy.md
# Deployment

## Behind a reverse proxy

Forward the \`X-Forwarded-For\` header, and set \`proxy.trusted\` to the proxy's address.

## Health checks

\`GET /healthz\` answers 200 when the database can be reached.

## Rolling back

Install the former version and run \`harbor migrate --down\`.
//- reference/api.md
# API

## Authentication

Send the token in the \`Authorization\` header. Tokens expire after an hour.

\`\`\`ts
export function login(user: string, password: string): Promise<Token> {
  return post('/login', { user, password })
}
\`\`\`

## Rate limits

A client may send 100 requests a minute. Beyond that the answer is 429.

## Pagination

Lists give 50 items; \`next\` holds the cursor of the following page.

## Errors

Errors have a code, a message and a hint.
//- reference/internals.md
# Internals

## Title paths

\`normalizeTitlePath\` makes one key out of the headings above a section.

## Storage

Rows live in SQLite. The write-ahead log is checkpointed when the server is idle.

## Searching

Searches go through an inverted index; the words of a café menu are found by cafe.

## 数据库

服务器把数据保存在数据库里。

## データベース

サーバーはデータベースにデータを保存します。
`
