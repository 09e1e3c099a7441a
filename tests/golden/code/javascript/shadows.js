// Names that every object of JavaScript has, and nobody here defines.
function show (value) { return text(toString(value) || constructor(value)) }

function text (value) { return valueOf(value) }
