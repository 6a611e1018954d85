int notForADevice() { return 1; }
