"""One reader for each format of files: from bytes to cells under headers, each row with its place in the file."""
