# Messages for people.
function info(message)
    println(message)
end
