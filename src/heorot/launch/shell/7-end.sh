
await_output
keeper='' # it was given its time
end_adopted
now
write '{"event":"end","time":'"$time_now"'}'
