
await_output
now
write '{"event":"end","time":'"$time_now"'}'
