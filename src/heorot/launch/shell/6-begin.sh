
self=$0
[[ $self == /* ]] || self=$PWD/$self
enter
[[ -r script.sh ]] && self=$here/script.sh # a batch system runs a copy elsewhere
if [[ ${HEOROT_LOCKED:-} != "$$" ]]; then
    lock || exit 75
    # From here on every process of this job has its mark; a second copy never gets here.
    find_adopter
    HEOROT_LOCKED=$$ HEOROT_JOB=$job HEOROT_DIRECTORY=$here \
        exec ${adopter[@]+"${adopter[@]}"} "$BASH" "$self"
fi
# In older bash the process that keeps the output is unknown, and would be taken for a left one.
[[ ${HEOROT_ADOPTS:-} == "$$" && -r /proc/$$/task/$$/children ]] &&
    ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && adopts=1
unset HEOROT_LOCKED HEOROT_ADOPTS
{ read -r _ _ _ _ own_group _ </proc/$$/stat; } 2>/dev/null
if [[ -d lock.d ]]; then
    echo $$ >lock.d/pid && locked_by_folder=1
fi
[[ -e pid ]] && earlier=1
echo $$ >pid || fail "cannot write in $here (no space left?)"
# The environment may still have the name of the submitting host.
[[ -r /proc/sys/kernel/hostname ]] && read -r HOSTNAME </proc/sys/kernel/hostname
list_family
trap interrupt TERM INT HUP
trap 'interrupt time_limit' USR2 # sent by Slurm on request, by LSF at any limit
[[ $earlier ]] && kill_marked "HEOROT_JOB=$job" # rest of an earlier copy
trap leave EXIT
find_hosts
own_temporary
eval "$preparing" || fail "cannot prepare $here"
prepare_others
if [[ -s status.jsonl ]]; then
    [[ $(tail -c 1 status.jsonl | tr '\0' x) ]] && write '' # after a crash the last line may be incomplete
    while IFS= read -r line; do
        [[ $line =~ $exit_event ]] && ended[${BASH_REMATCH[1]}]=1
    done <status.jsonl
fi
printf -v names ',"%s"' "${hosts[@]}"
now
write '{"event":"job","id":"'"$job"'","host":"'"${HOSTNAME//[\"\\]/}"'","pid":'$$',"time":'"$time_now"',"hosts":['"${names#,}"']}'
describe_hosts

# The steps.
