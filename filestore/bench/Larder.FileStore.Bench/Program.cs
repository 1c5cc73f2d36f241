using BenchmarkDotNet.Running;
using Larder.FileStore.Bench;

// Examples: --filter '*Reads*' · --filter '*Writes*'. The last results are in ../results.
BenchmarkSwitcher.FromAssembly(typeof(Reads).Assembly).Run(args, new Settings());
