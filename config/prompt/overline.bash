# Overline in the prompt of bash: a word while the network is offline, nothing else. In ~/.bashrc, after what sets PS1:
#
#   source ~/.local/share/overline/prompt/overline.bash
#   PS1='${OVERLINE_PROMPT:+[$OVERLINE_PROMPT] }'$PS1
#
# OVERLINE_PROMPT is "offline", "limited", or not set. No process is started, and nothing is waited for: the monitor keeps a file, and
# /proc tells whether the monitor that wrote it still runs.

__overline_prompt() {
  # Those who come after it in PROMPT_COMMAND want to know how the last command ended.
  local status=$? file=${XDG_RUNTIME_DIR:-/run/user/$UID}/overline/state line state= pid= start= stat= count=0
  unset -v OVERLINE_PROMPT
  # Not a pipe, which would be waited for.
  [[ -f $file && -r $file ]] || return "$status"
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
  [[ ${stat##*)} =~ ^(\ [^\ ]+){19}\ ([0-9]+)\  && ${BASH_REMATCH[2]} == "$start" ]] && export OVERLINE_PROMPT=$state
  return "$status"
}

# An array since bash 5.1, a string before and for many who set it.
if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == "declare -a"* ]]; then
  [[ " ${PROMPT_COMMAND[*]} " == *" __overline_prompt "* ]] || PROMPT_COMMAND=(__overline_prompt "${PROMPT_COMMAND[@]}")
elif [[ ${PROMPT_COMMAND-} != *__overline_prompt* ]]; then
  PROMPT_COMMAND="__overline_prompt${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
fi
