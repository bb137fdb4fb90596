-- Overline in Neovim: the banner's words in the status line while there is something to say. In init.lua:
--
--   dofile(vim.fn.expand('~/.local/share/overline/editor/overline.lua'))
--   vim.o.statusline = vim.o.statusline .. '%#ErrorMsg#%{g:overline}%*'
--
-- For lualine: sections = { lualine_z = { function() return vim.g.overline end } }
--
-- The monitor sends each change over its socket; nothing is polled. A monitor that comes later is found.

vim.g.overline = ''
local rest = ''

local function receive(_, pieces)
  -- The first piece continues the last one of the call before.
  pieces[1] = rest .. pieces[1]
  rest = table.remove(pieces)
  local line = pieces[#pieces]
  if line == nil then return end
  vim.g.overline = line == '' and '' or ' ' .. line .. ' '
  vim.cmd('redrawstatus!')
end

if vim.fn.executable('overline') == 1 then
  vim.fn.jobstart({ 'overline', 'watch', '--format', 'plain' }, { on_stdout = receive })
end
