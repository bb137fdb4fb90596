-- Overline in WezTerm: the banner's words at the right of the tab bar. In ~/.config/wezterm/wezterm.lua, before the last line:
--
--   dofile(os.getenv('HOME') .. '/.local/share/overline/terminal/wezterm.lua')
--
-- For a banner above the program:
--
--   config.default_prog = { 'sh', '-c', 'overline -V >/dev/null && exec overline run; exec $SHELL' }
--
-- WezTerm asks for its status once a second. This reads the monitor's state file then, and starts no process.

local wezterm = require 'wezterm'

local function first(path)
  local file = io.open(path)
  if not file then return nil end
  local line = file:read('*l')
  file:close()
  return line
end

-- The banner's title, or nil.
local function title()
  local directory = os.getenv('XDG_RUNTIME_DIR') or ''
  -- Like the monitor, ignores a relative path.
  local file = directory:sub(1, 1) == '/' and io.open(directory .. '/overline/state')
  if not file then return nil end
  local values = {}
  for line in file:lines() do
    local name, value = line:match("^OVERLINE_([A-Z_]+)='(.*)'$")
    if name then values[name] = value:gsub("'\\''", "'") end
  end
  file:close()
  -- A killed monitor leaves its file, and a stopped one (T, the first field) cannot change it. The start time is the 20th field after the process's name (proc(5)).
  local stat = first('/proc/' .. (values.MONITOR_PID or '') .. '/stat')
  local fields = {}
  for field in (stat or ''):gsub('^.*%) ', ''):gmatch('%S+') do table.insert(fields, field) end
  if fields[20] ~= values.MONITOR_START or fields[1] == 'T' or values.TITLE == '' then return nil end
  return values.TITLE, values.BACKGROUND_COLOR, values.TEXT_COLOR
end

wezterm.on('update-status', function(window)
  local text, background, color = title()
  if not text then return window:set_right_status('') end
  window:set_right_status(wezterm.format {
    { Background = { Color = background } },
    { Foreground = { Color = color } },
    { Text = ' ' .. text .. ' ' },
  })
end)
