# The smoke program in all the ways a program can begin and end, with 1, 2 and 4 ranks.
foreach(n_ranks IN ITEMS 1 2 4)
    set(with "RANKS;${n_ranks}")
    set(own "{\"by\":\"rank\",\"median_seconds\":")
    if(n_ranks EQUAL 1)
        set(own "null,")
    endif()
    add_smoke_test(smoke_well_${n_ranks} ${with} EXIT 0
        OUT "\"benchmark\":\"tests/smoke\"" "\"ranks\":${n_ranks}," "\"element_bytes\",\"value\":8"
            "\"own\":${own}" "\"type\":\"end\",\"passed\":true,\"checks\":3,\"failed\":0"
        REPEATS "\"type\":\"region\"" 2)
    add_smoke_test(smoke_corrupt_${n_ranks} ${with} ARGUMENTS --corrupt EXIT 1
        OUT "\"type\":\"end\",\"passed\":false,\"checks\":3,\"failed\":1")
    add_smoke_test(smoke_prepare_${n_ranks} ${with} ARGUMENTS --prepare EXIT 0
        OUT "{\"name\":\"rest\",\"computation_seconds\":" "{\"name\":\"flip\","
            "\"type\":\"end\",\"passed\":true,\"checks\":3,\"failed\":0")
    # So many copies do so many times the work of one.
    math(EXPR flops "1000 * ${n_ranks}")
    math(EXPR more_flops "2000 * ${n_ranks}")
    add_smoke_test(smoke_star_${n_ranks} ${with} ARGUMENTS --star EXIT 0
        OUT "\"star\":true" "\"ranks\":${n_ranks}," "\"counts\":{\"flops\":${flops}}"
            "\"counts\":{\"flops\":${more_flops}}"
            "\"type\":\"end\",\"passed\":true,\"checks\":3,\"failed\":0")
endforeach()

foreach(n_ranks IN ITEMS 1 2)
    set(with "RANKS;${n_ranks}")
    add_smoke_test(smoke_undeclared_${n_ranks} ${with} ARGUMENTS --corrupt --declare=false EXIT 70
        ERR "declares the results that it verifies" NOT_OUT "\"type\":\"end\"")
    add_smoke_test(smoke_nan_${n_ranks} ${with} ARGUMENTS --how nan EXIT 1
        OUT "\"value\":\"nan\",\"tolerance\":1e-14,\"passed\":false,\"region\":null,\"point\":null")
    add_smoke_test(smoke_wrong_on_last_${n_ranks} ${with} ARGUMENTS --how wrong-on-last EXIT 1
        OUT "\"tolerance\":" "\"passed\":false,\"region\":null,\"point\":null")
    add_smoke_test(smoke_refuse_${n_ranks} ${with} ARGUMENTS --how refuse EXIT 3
        OUT "{\"type\":\"refused\",\"reason\":\"this machine is not round\"}"
        NOT_OUT "\"type\":\"end\"" REPEATS "\"type\":\"refused\"" 1)
    add_smoke_test(smoke_hunger_${n_ranks} ${with} ARGUMENTS --how hunger EXIT 3
        OUT "no memory for an array of 1125899906842624 elements of 8 bytes")
    add_smoke_test(smoke_hunger_on_last_${n_ranks} ${with} ARGUMENTS --how hunger-on-last EXIT 3
        ERR "no memory for an array of")
    # What all ranks of a host need together.
    add_smoke_test(smoke_no_room_${n_ranks} ${with} ARGUMENTS --how no-room EXIT 3
        OUT "no memory for ${n_ranks}e+06 GB" REPEATS "cannot run here" 1 NOT_OUT "\"type\":\"end\"")
    add_smoke_test(smoke_nothing_${n_ranks} ${with} ARGUMENTS --points 0 --corrupt EXIT 2
        ERR "heorot: nothing of what was asked for can be measured" "hint: ask for other"
        NOT_OUT "\"type\":\"end\"" REPEATS "heorot: " 1)
    add_smoke_test(smoke_break_${n_ranks} ${with} ARGUMENTS --how break EXIT 70
        ERR "heorot: broken expectation: the last rank holds" NOT_OUT "\"type\":\"end\"")
    add_smoke_test(smoke_late_usage_${n_ranks} ${with} ARGUMENTS --how usage EXIT 2
        ERR "heorot: --how cannot be 'usage'" "hint: try something else" REPEATS "heorot: " 1)
    add_smoke_test(smoke_unknown_${n_ranks} ${with} ARGUMENTS --pionts 3 EXIT 2
        ERR "heorot: unknown option --pionts" "hint: did you mean --points?"
        NOT_OUT "{" REPEATS "heorot: " 1)
    add_smoke_test(smoke_no_folder_${n_ranks} ${with} ARGUMENTS --record /no/such/folder/x EXIT 2
        ERR "heorot: cannot open the record '/no/such/folder/x'" REPEATS "heorot: " 1)
    add_smoke_test(smoke_full_disk_${n_ranks} ${with} ARGUMENTS --record /dev/full EXIT 2
        ERR "heorot: cannot write the record '/dev/full': No space left on device"
        REPEATS "heorot: " 1)
    # Several runs in a launch: each ends by itself, and the last one decides.
    add_smoke_test(smoke_then_${n_ranks} ${with}
        ARGUMENTS --how refuse --then --corrupt --then --pionts 3 --then --points 1 --star EXIT 0
        OUT "{\"type\":\"exit\",\"code\":3}" "{\"type\":\"exit\",\"code\":1}"
            "{\"type\":\"exit\",\"code\":2}" "{\"type\":\"exit\",\"code\":0}"
            "\"passed\":false,\"checks\":3,\"failed\":1" "\"passed\":true,\"checks\":2,\"failed\":0"
        ERR "heorot: unknown option --pionts" REPEATS "\"type\":\"exit\"" 8)
    add_smoke_test(smoke_then_wrong_${n_ranks} ${with} ARGUMENTS --points 1 --then --points 0 EXIT 2
        OUT "\"passed\":true,\"checks\":2" ERR "nothing of what was asked for" "\"code\":2}")
    add_smoke_test(smoke_help_${n_ranks} ${with} ARGUMENTS --help --unknown EXIT 0
        OUT "elements per rank [1000]" "--handicap (double)" REPEATS "options of every program" 1)
    add_smoke_test(smoke_describe_${n_ranks} ${with} ARGUMENTS --describe EXIT 0
        OUT "{\"name\":\"tests/smoke\",\"costs\":{\"memory_bytes\":\"(ranks * (8 * (points * n)))\"},"
            "\"options\":[{\"name\":\"n\",\"type\":\"size\",\"default\":1000,"
        REPEATS "harness_options" 1)
endforeach()

foreach(n_ranks IN ITEMS 2 4)
    foreach(start IN ITEMS window barrier)
        add_smoke_test(smoke_each_by_${start}_${n_ranks} RANKS ${n_ranks}
            ARGUMENTS --each --start ${start} EXIT 0
            OUT "\"synchronisation\":\"${start}\"" "\"starts\":{\"bodies\":"
                "\"local_seconds\":" "\"mean_seconds\":" "\"type\":\"end\",\"passed\":true")
    endforeach()
endforeach()
add_smoke_test(smoke_each_1 ARGUMENTS --each EXIT 0 OUT "\"synchronisation\":\"none\""
    "\"starts\":null")
add_smoke_test(smoke_start_wrong ARGUMENTS --start sunrise EXIT 2
    ERR "--start names no way to start" "hint: choose auto, window or barrier")

foreach(clock IN ITEMS auto monotonic)
    add_smoke_test(smoke_clock_${clock} ARGUMENTS --clock ${clock} EXIT 0
        OUT "\"clock\":{\"name\":\"monotonic\"" "\"type\":\"end\",\"passed\":true")
endforeach()
add_smoke_test(smoke_clock_wrong ARGUMENTS --clock sundial EXIT 2 ERR "--clock names no clock")
if(HEOROT_WITH_MPI)
    add_smoke_test(smoke_clock_mpi ARGUMENTS --clock mpi EXIT 0 OUT "\"clock\":{\"name\":\"mpi\"")
else()
    add_smoke_test(smoke_clock_mpi ARGUMENTS --clock mpi EXIT 3 OUT "clock 'mpi' does not exist")
endif()
add_smoke_test(smoke_bad_floor ARGUMENTS --samples-min 0 EXIT 2 ERR "--samples-min is below 1")
add_smoke_test(smoke_bad_ceiling ARGUMENTS --samples-max 3 EXIT 2 ERR "below --samples-min")
add_smoke_test(smoke_bad_budget ARGUMENTS --precision=-1 EXIT 2 ERR "--precision is negative")
add_smoke_test(smoke_ceiling ARGUMENTS --samples-max 12 --precision 0 EXIT 0
    OUT "\"stopped\":\"ceiling\"")
add_smoke_test(smoke_budget ARGUMENTS --precision 0 --samples-max 1000000 EXIT 0
    OUT "\"stopped\":\"budget\"")
if(NOT HEOROT_WITH_MPI)
    add_smoke_test(smoke_foreign_launcher ARGUMENTS --points 1 EXIT 2
        ERR "heorot: started as 2 ranks, but this program was built without MPI" NOT_OUT "{")
    set_property(TEST smoke_foreign_launcher PROPERTY ENVIRONMENT OMPI_COMM_WORLD_SIZE=2)
endif()
