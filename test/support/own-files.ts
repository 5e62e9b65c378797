/** As `main` does: what the code under test creates is for its owner alone unless it says otherwise. */
process.umask(0o077);
