
await_output
writer='' # it had its time
end_adopted
now
write '{"event":"end","time":'"$time_now"'}'
