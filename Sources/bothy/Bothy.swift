import ArgumentParser

@main
struct Bothy: AsyncParsableCommand {}
