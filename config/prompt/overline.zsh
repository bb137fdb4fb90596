# Overline in the prompt of zsh: a word while the network is offline, else nothing. In ~/.zshrc, after the line that sets PROMPT:
#
#   [[ ! -e ~/.local/share/overline/prompt/overline.zsh ]] || source ~/.local/share/overline/prompt/overline.zsh
#   setopt prompt_subst
#   PROMPT='${OVERLINE_PROMPT:+[$OVERLINE_PROMPT] }'$PROMPT
#
# OVERLINE_PROMPT is "offline", "limited", or not set. This starts no process and never waits: it reads the monitor's state file, and
# checks in /proc that the monitor still runs and is not stopped (its state is T then), since a stopped one cannot withdraw its word.

__overline_prompt() {
  emulate -L zsh
  local directory=${XDG_RUNTIME_DIR-} file line state pid start stat
  local -i count=0
  unset OVERLINE_PROMPT
  # Like the monitor, ignores a relative path.
  [[ $directory == /* ]] || directory=/run/user/$UID
  file=$directory/overline/state
  # Not a pipe: reading it would wait. Nor another user's: after su the variable may name that user's folder.
  [[ -f $file && -r $file && -O $file ]] || return 0
  # At most a hundred lines; the monitor writes about thirty, none of them long.
  while ((count++ < 100)) && IFS= read -r line; do
    case $line in
      "OVERLINE_STATE='offline'") state=offline ;;
      "OVERLINE_STATE='limited'") state=limited ;;
      "OVERLINE_MONITOR_PID='"<1->"'") pid=${${line#*\'}%\'} ;;
      "OVERLINE_MONITOR_START='"<->"'") start=${${line#*\'}%\'} ;;
    esac
  done <$file
  [[ -n $state && -n $pid && -n $start && -r /proc/$pid/stat ]] || return 0
  { IFS= read -r stat </proc/$pid/stat } 2>/dev/null
  # The process's name, in parentheses, can hold anything. The start time is the 20th field after it (proc(5)).
  [[ ${stat##*\) } != T* && ${${(s: :)${stat##*\) }}[20]} == $start ]] && export OVERLINE_PROMPT=$state
  return 0
}

autoload -Uz add-zsh-hook
add-zsh-hook precmd __overline_prompt
