package shapes

var PollForTests = poll

const limit = 1
