# Overline in the prompt of bash: a word while the network is offline, else nothing. In ~/.bashrc, after the line that sets PS1:
#
#   [[ ! -e ~/.local/share/overline/prompt/overline.bash ]] || source ~/.local/share/overline/prompt/overline.bash
#   PS1='${OVERLINE_PROMPT:+[$OVERLINE_PROMPT] }'$PS1
#
# OVERLINE_PROMPT is "offline", "limited", or not set. This starts no process and never waits: it reads the monitor's state file, and
# checks in /proc that the monitor still runs and is not stopped (its state is T then), since a stopped one cannot withdraw its word.

__overline_prompt() {
  # Later commands in PROMPT_COMMAND read the last command's status.
  local status=$? directory=${XDG_RUNTIME_DIR-} file line state= pid= start= stat= count=0
  unset -v OVERLINE_PROMPT
  # Like the monitor, ignores a relative path.
  [[ $directory == /* ]] || directory=/run/user/$UID
  file=$directory/overline/state
  # Not a pipe: reading it would wait. Nor another user's: after su the variable may name that user's folder.
  [[ -f $file && -r $file && -O $file ]] || return "$status"
  while ((count++ < 100)) && IFS= read -r -n 512 line; do
    case $line in
      "OVERLINE_STATE='offline'") state=offline ;;
      "OVERLINE_STATE='limited'") state=limited ;;
      "OVERLINE_MONITOR_PID='"*) line=${line:22} pid=${line%\'} ;;
      "OVERLINE_MONITOR_START='"*) line=${line:24} start=${line%\'} ;;
    esac
  done <"$file"
  [[ $state && $pid =~ ^[1-9][0-9]{0,9}$ && $start =~ ^[0-9]+$ && -r /proc/$pid/stat ]] || return "$status"
  { IFS= read -r stat </proc/"$pid"/stat; } 2>/dev/null
  # The process's name, in parentheses, can hold anything. The start time is the 20th field after it (proc(5)).
  [[ ${stat##*)} =~ ^\ [^T\ ](\ [^\ ]+){18}\ ([0-9]+)\  && ${BASH_REMATCH[2]} == "$start" ]] && export OVERLINE_PROMPT=$state
  return "$status"
}

# An array since bash 5.1; a string before, and where startup files set one.
if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == "declare -a"* ]]; then
  [[ " ${PROMPT_COMMAND[*]} " == *" __overline_prompt "* ]] || PROMPT_COMMAND=(__overline_prompt "${PROMPT_COMMAND[@]}")
elif [[ ${PROMPT_COMMAND-} != *__overline_prompt* ]]; then
  PROMPT_COMMAND="__overline_prompt${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
fi
