pub fn info(value: u32) void {
    _ = value;
}
