-- Opens the file named by $FILE, waits for a diagnostic, takes the first code action, and says what it saw.
local id = vim.lsp.start_client({ name = "graphmend", cmd = { vim.env.SERVER, "server" }, root_dir = vim.env.FOLDER })
vim.cmd("edit " .. vim.env.FILE)
vim.lsp.buf_attach_client(0, id)

local function wait(what, condition)
  if not vim.wait(15000, condition, 50) then
    io.stderr:write("no " .. what .. "\n")
    vim.cmd("cquit 3")
  end
end

wait("diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1]
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })

vim.ui.select = function(items, _, choose) choose(items[1], 1) end
local before = vim.api.nvim_buf_get_changedtick(0)
vim.lsp.buf.code_action()
wait("edit", function() return vim.api.nvim_buf_get_changedtick(0) > before end)
wait("clean buffer", function() return #vim.diagnostic.get(0) == 0 end)

vim.cmd("write")
io.stdout:write(string.format("%d:%d %s\n", found.lnum + 1, found.col + 1, found.message))
vim.cmd("qall")
